/** What all parts of the user agent share. */
import { randomBase62 } from '../../../kit/ids.ts'
import type { Log } from '../../../kit/log.ts'
import type { Timers } from '../../../kit/timers.ts'
import { type Address, formatAddress } from '../headers/address.ts'
import { requires } from '../headers/numbers.ts'
import type { SipRequest } from '../message/message.ts'
import type { HeaderPairs } from '../message/request.ts'
import { buildResponse } from '../message/response.ts'
import type { IncomingRequest, Transactions } from '../transaction/transactions.ts'
import type { Flow, Target } from '../transport/flow.ts'
import type { Uri } from '../uri/uri.ts'

/** A leg, as the user agent sees it: what is for it is handed on. */
export type LegHandler = { receive(incoming: IncomingRequest): void; closed(flow: Flow): void }

export type UserAgentCore = {
  transactions: Transactions
  timers: Timers
  /** Our Contact towards that peer. */
  contact(target: Target): Uri
  product: string
  /** How long a session goes on without a sign of life. */
  sessionSeconds: number
  log: Pick<Log, 'error'>
  /** Between 0 and 1: what keeps two ends from trying again at the same moment. */
  random(): number
  /** By Call-ID and our tag. */
  legs: Map<string, LegHandler>
}

/** RFC 3261, 17.1.1.1, in milliseconds. */
export const T1 = 500
export const T2 = 4_000
export const longest = 64 * T1

const methods = 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE'
export const allowHeader: HeaderPairs = [['Allow', methods]]

const extensions = new Set(['timer'])

export const newTag = () => randomBase62(16)
export const newCallId = () => randomBase62(24)
export const legKey = (callId: string, localTag: string) => `${localTag} ${callId}`

export function withTag(address: Address, tag: string | undefined): Address {
  const params = new Map(address.params)
  params.delete('tag')
  if (tag !== undefined) params.set('tag', tag)
  return { ...address, params }
}

/** The Contact header, as whatever may change where the other end finds us carries it. */
export function contactHeader(core: UserAgentCore, target: Target): [string, string] {
  return ['Contact', formatAddress({ uri: core.contact(target) })]
}

export type Reply = {
  status: number
  reason?: string
  headers?: HeaderPairs
  body?: string
  /** Left out where the To of the request has a tag. */
  toTag?: string
}

/** RFC 3261, 8.2.2.3: a request that insists on what we do not have. */
export function refuseUnsupported(request: SipRequest): Reply | undefined {
  const unknown = requires(request).filter((name) => !extensions.has(name.toLowerCase()))
  if (unknown.length === 0) return undefined
  return { status: 420, headers: [['Unsupported', unknown.join(', ')]] }
}

export function reply(
  core: UserAgentCore,
  incoming: IncomingRequest,
  { status, headers = [], ...more }: Reply,
) {
  const named: HeaderPairs = [...headers, ['Server', core.product]]
  incoming.respond(buildResponse(incoming.request, status, { ...more, headers: named }))
}
