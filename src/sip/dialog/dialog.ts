/** A dialog (RFC 3261, 12): its two ends, their CSeq numbers, the route set and the remote target. */
import { type Address, formatAddress, tagOf } from '../headers/address.ts'
import { cseq } from '../headers/numbers.ts'
import { contacts, from, recordRoutes } from '../headers/parties.ts'
import type { SipMessage, SipRequest, SipResponse } from '../message/message.ts'
import { buildRequest, type HeaderPairs } from '../message/request.ts'
import type { IncomingRequest, ResponseListener } from '../transaction/transactions.ts'
import { keepSource, type Target } from '../transport/flow.ts'
import type { Uri } from '../uri/uri.ts'
import { nextHopTarget } from './next-hop.ts'
import type { Send } from './retrying-sender.ts'
import { contactHeader, type UserAgentCore } from './user-agent-core.ts'

type DialogState = {
  callId: string
  /** Local and remote URI, with their tags. */
  local: Address
  remote: Address
  remoteTarget: Uri
  routeSet: readonly Address[]
  localSequence: number
  remoteSequence?: number
  remoteFlow: Target
  /** RFC 3261, 14.1: after glare (491), the owner of the Call-ID waits longer before it retries. */
  ownsCallId: boolean
  send: Send
}

type Parts = { headers?: HeaderPairs; body?: string | Buffer }

export function createDialog(core: UserAgentCore, initial: DialogState) {
  const { callId, local, remote, send, ownsCallId } = initial
  let { remoteTarget, routeSet, localSequence, remoteSequence, remoteFlow } = initial
  let byeSent = false

  function build(method: string, sequence: number, { headers = [], body = '' }: Parts): SipRequest {
    const { uri, routes } = requestUriAndRoutes(remoteTarget, routeSet)
    return buildRequest({
      method,
      uri,
      headers: [
        ...routes.map((route) => ['Route', formatAddress(route)] as const),
        ['From', formatAddress(local)],
        ['To', formatAddress(remote)],
        ['Call-ID', callId],
        ['CSeq', `${sequence} ${method}`],
        ...(targetRefresh.has(method) ? [contactHeader(core, remoteFlow)] : []),
        ...headers,
        ['User-Agent', core.product],
      ],
      body,
    })
  }

  const nextHop = () => nextHopTarget(remoteFlow, routeSet[0]?.uri ?? remoteTarget)
  const next = () => {
    localSequence += 1
    return localSequence
  }
  const sequence = { next, isOvertaken: (number: number) => !byeSent && number < localSequence }

  return {
    callId,
    local,
    remote,
    ownsCallId,
    remoteFlow: () => remoteFlow,

    send(method: string, parts: Parts, listener: ResponseListener) {
      if (method === 'BYE') byeSent = true
      return send(build(method, next(), parts), nextHop(), sequence, listener)
    },

    /** Sends the ACK of a 2xx. The returned function sends it again, for every retransmission of the 2xx (13.2.2.4). */
    acknowledge(response: SipResponse, credentials: HeaderPairs = []): () => void {
      return core.transactions.send(build('ACK', cseq(response).number, { headers: credentials }), nextHop())
    },

    isFromPeer: (request: SipRequest) => tagOf(from(request)) === tagOf(remote),

    /** 12.2.2: false for a request that is out of order. The flow of one in order is where the peer is now. */
    isInOrder({ request, flow }: IncomingRequest): boolean {
      const { number, method } = cseq(request)
      const last = remoteSequence ?? -1
      // An ACK has the CSeq number of its INVITE; later requests may have arrived before it.
      if (method !== 'ACK') {
        if (number < last || (number === last && targetRefresh.has(method))) return false
        remoteSequence = number
      }
      remoteFlow = flow
      return true
    },

    /** 12.2.1.2: a target refresh request that succeeded. */
    refreshTarget(message: SipMessage) {
      remoteTarget = contactOf(message) ?? remoteTarget
    },

    /** 13.2.2.4: the 2xx replaces the route set and remote target of the early dialog. */
    confirm(response: SipResponse, flow: Target) {
      remoteTarget = contactOf(response) ?? remoteTarget
      routeSet = recordRoutes(response).reverse()
      remoteFlow = keepSource(remoteFlow, flow)
    },
  }
}
export type Dialog = ReturnType<typeof createDialog>

/** Target refresh requests: their Contact changes the remote target (RFC 3261, 12.2; RFC 3311). */
const targetRefresh = new Set(['INVITE', 'UPDATE'])

/** Without the headers a Contact URI may carry: they are not allowed in a Request-URI. */
export function contactOf(message: SipMessage): Uri | undefined {
  const listed = contacts(message)
  const uri = listed === '*' ? undefined : listed[0]?.uri
  if (uri?.scheme !== 'sip' && uri?.scheme !== 'sips') return undefined
  return { ...uri, headers: [] }
}

/** 12.2.1.1: a strict router (no `lr` parameter) goes into the Request-URI, and the remote target to the end of the route. */
function requestUriAndRoutes(
  target: Uri,
  routeSet: readonly Address[],
): { uri: Uri; routes: readonly Address[] } {
  const [first, ...others] = routeSet
  if (!first || (first.uri.scheme !== 'other' && first.uri.params.has('lr')))
    return { uri: target, routes: routeSet }
  return { uri: first.uri, routes: [...others, { name: undefined, uri: target, params: new Map() }] }
}
