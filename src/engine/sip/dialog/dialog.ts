/** A dialog (RFC 3261, 12): its two ends, how far each has counted, and the way between them. */
import { type Address, formatAddress, tagOf } from '../headers/address.ts'
import { cseq } from '../headers/numbers.ts'
import { contacts, from, recordRoutes } from '../headers/parties.ts'
import type { SipMessage, SipRequest, SipResponse } from '../message/message.ts'
import { buildRequest, type HeaderPairs } from '../message/request.ts'
import type { IncomingRequest, ResponseListener } from '../transaction/transactions.ts'
import type { Target } from '../transport/flow.ts'
import type { Uri } from '../uri/uri.ts'
import { nextHopTarget } from './next-hop.ts'
import type { Send } from './retrying-sender.ts'
import { contactHeader, type UserAgentCore } from './user-agent-core.ts'

type Beginning = {
  callId: string
  /** Both with their tags. */
  local: Address
  remote: Address
  remoteTarget: Uri
  routeSet: readonly Address[]
  localSequence: number
  remoteSequence?: number
  remoteFlow: Target
  /** Whoever made the Call-ID tries again later after a glare. */
  ownsCallId: boolean
  send: Send
}

type Parts = { headers?: HeaderPairs; body?: string | Buffer }

export function createDialog(core: UserAgentCore, beginning: Beginning) {
  const { callId, local, remote, send, ownsCallId } = beginning
  let { remoteTarget, routeSet, localSequence, remoteSequence, remoteFlow } = beginning
  /** After our BYE nothing is worth saying again. */
  let left = false

  function build(method: string, sequence: number, { headers = [], body = '' }: Parts): SipRequest {
    const { uri, routes } = routed(remoteTarget, routeSet)
    return buildRequest({
      method,
      uri,
      headers: [
        ...routes.map((route) => ['Route', formatAddress(route)] as const),
        ['From', formatAddress(local)],
        ['To', formatAddress(remote)],
        ['Call-ID', callId],
        ['CSeq', `${sequence} ${method}`],
        ...(refreshing.has(method) ? [contactHeader(core, remoteFlow)] : []),
        ...headers,
        ['User-Agent', core.product],
      ],
      body,
    })
  }

  const way = () => nextHopTarget(remoteFlow, routeSet[0]?.uri ?? remoteTarget)
  const next = () => {
    localSequence += 1
    return localSequence
  }
  const counting = { next, isOvertaken: (sequence: number) => !left && sequence < localSequence }

  return {
    callId,
    local,
    remote,
    ownsCallId,
    heard: () => remoteFlow,

    send(method: string, parts: Parts, listener: ResponseListener) {
      if (method === 'BYE') left = true
      return send(build(method, next(), parts), way(), counting, listener)
    },

    /** Sends the ACK of a 2xx; what is returned sends it again, as often as the 2xx comes (13.2.2.4). */
    acknowledge(response: SipResponse, credentials: HeaderPairs = []): () => void {
      return core.transactions.send(build('ACK', cseq(response).number, { headers: credentials }), way())
    },

    isFrom: (request: SipRequest) => tagOf(from(request)) === tagOf(remote),

    /** 12.2.2: false for one that was overtaken. What is heard in order also tells where the other end is now. */
    follows({ request, flow }: IncomingRequest): boolean {
      const { number, method } = cseq(request)
      const last = remoteSequence ?? -1
      // An ACK has the sequence of its INVITE, which others may have overtaken.
      if (method !== 'ACK') {
        if (number < last || (number === last && refreshing.has(method))) return false
        remoteSequence = number
      }
      remoteFlow = flow
      return true
    },

    /** 12.2.1.2: an INVITE or UPDATE that was agreed to may have moved the other end. */
    refresh(message: SipMessage) {
      remoteTarget = contactOf(message) ?? remoteTarget
    },

    /** 13.2.2.4: what an early dialog knew of the way is forgotten. */
    confirm(response: SipResponse, flow: Target) {
      remoteTarget = contactOf(response) ?? remoteTarget
      routeSet = recordRoutes(response).reverse()
      remoteFlow = flow
    },
  }
}
export type Dialog = ReturnType<typeof createDialog>

const refreshing = new Set(['INVITE', 'UPDATE'])

/** Headers in a Contact are for other uses of it: in a Request-URI they have no place. */
export function contactOf(message: SipMessage): Uri | undefined {
  const listed = contacts(message)
  const uri = listed === '*' ? undefined : listed[0]?.uri
  if (uri?.scheme !== 'sip' && uri?.scheme !== 'sips') return undefined
  return { ...uri, headers: [] }
}

/** 12.2.1.1: a strict router, one without `lr`, wants itself in the Request-URI and the target last. */
function routed(target: Uri, routeSet: readonly Address[]): { uri: Uri; routes: readonly Address[] } {
  const [first, ...others] = routeSet
  if (!first || (first.uri.scheme !== 'other' && first.uri.params.has('lr')))
    return { uri: target, routes: routeSet }
  return { uri: first.uri, routes: [...others, { name: undefined, uri: target, params: new Map() }] }
}
