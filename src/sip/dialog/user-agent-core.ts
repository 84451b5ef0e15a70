/** What all parts of the user agent share: settings, live legs, and how responses are written. */
import { randomBase62 } from '../../kit/ids.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Timers } from '../../kit/timers.ts'
import { type Address, formatAddress } from '../headers/address.ts'
import { requires } from '../headers/numbers.ts'
import type { SipRequest } from '../message/message.ts'
import type { HeaderPairs } from '../message/request.ts'
import { buildResponse } from '../message/response.ts'
import type { IncomingRequest, Transactions } from '../transaction/transactions.ts'
import type { Flow, Target } from '../transport/flow.ts'
import type { Uri } from '../uri/uri.ts'
import type { PeerAddresses } from './peer-addresses.ts'

/** Receives the requests of one dialog, and is called when a connection closes. */
export type LegHandler = {
  receive(incoming: IncomingRequest): void
  /** A request from an address that is not the peer's; `accept` takes that address for the peer's from now on. */
  receiveForeign(incoming: IncomingRequest, accept: () => void): void
  peer: PeerAddresses
  /** Where its messages are sent now. */
  flow(): Target
  closed(flow: Flow): void
}

export type UserAgentCore = {
  transactions: Transactions
  timers: Timers
  /** Our Contact towards that peer. */
  contact(target: Target): Uri
  product: string
  /** Session interval (RFC 4028): without a refresh within it, the session expires. */
  sessionSeconds: number
  log: Pick<Log, 'error'>
  /** Between 0 and 1; spreads retries, so that two ends do not collide again. */
  random(): number
  /** Live legs by Call-ID and local tag (`legKey`). */
  legs: Map<string, LegHandler>
}

const methods = 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, PRACK, REFER'
export const allowHeader: HeaderPairs = [['Allow', methods]]

/** Option tags we support in a Require header. */
const supportedExtensions = new Set(['timer', '100rel'])

export const newTag = () => randomBase62(16)
export const newCallId = () => randomBase62(24)
export const legKey = (callId: string, localTag: string) => `${localTag} ${callId}`

export function withTag(address: Address, tag: string | undefined): Address {
  const params = new Map(address.params)
  params.delete('tag')
  if (tag !== undefined) params.set('tag', tag)
  return { ...address, params }
}

/** The Contact header of every request or response that creates a dialog or refreshes its target. */
export function contactHeader(core: UserAgentCore, target: Target): [string, string] {
  return ['Contact', formatAddress({ uri: core.contact(target) })]
}

export type Reply = {
  status: number
  reason?: string
  headers?: HeaderPairs
  body?: string
  /** Added to the To header unless the request's To has a tag already. */
  toTag?: string
}

/** RFC 3261, 8.2.2.3: 420 for a request that requires an extension we do not support. */
export function refuseUnsupported(request: SipRequest): Reply | undefined {
  const unknown = requires(request).filter((name) => !supportedExtensions.has(name.toLowerCase()))
  if (unknown.length === 0) return undefined
  return { status: 420, headers: [['Unsupported', unknown.join(', ')]] }
}

/** An INVITE without state: its source may be forged, and would get many retransmissions. */
export function refuseOnce(core: UserAgentCore, incoming: IncomingRequest, status: number) {
  const { respond, respondOnce = respond } = incoming
  const once = incoming.request.method === 'INVITE' ? { ...incoming, respond: respondOnce } : incoming
  reply(core, once, { status, toTag: newTag() })
}

export function reply(
  core: UserAgentCore,
  incoming: IncomingRequest,
  { status, headers = [], ...more }: Reply,
) {
  const named: HeaderPairs = [...headers, ['Server', core.product]]
  incoming.respond(buildResponse(incoming.request, status, { ...more, headers: named }))
}
