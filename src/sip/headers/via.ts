/** The Via header: every hop adds one to a request, and responses go back along them (RFC 3261, 18.2; RFC 3581). */
import { isIP } from 'node:net'
import type { WithHeaders } from '../header.ts'
import { listValues } from '../message/message.ts'
import { malformed } from '../refusal.ts'
import { formatParams, type Params, readParams } from '../syntax/params.ts'
import { splitOutside } from '../syntax/split.ts'
import { isToken, readNumber } from '../syntax/token.ts'
import { formatHostPort, readHostPort } from '../uri/host.ts'

export type Via = { transport: string; host: string; port: number | undefined; params: Params }
type Source = { address: string; port: number }

const magicCookie = 'z9hG4bK'

export function parseVia(text: string): Via {
  const [sentBy = '', ...params] = splitOutside(text, ';')
  const found = /^SIP[ \t]*\/[ \t]*2\.0[ \t]*\/[ \t]*([^ \t/]+)[ \t]+([^ \t].*)$/i.exec(sentBy)
  const [, transport = '', place = ''] = found ?? []
  if (!isToken(transport)) throw malformed('Malformed Via')
  return { transport: transport.toUpperCase(), ...readHostPort(place), params: readParams(params) }
}

export function formatVia(via: Via): string {
  return `SIP/2.0/${via.transport} ${formatHostPort(via)}${formatParams(via.params)}`
}

export const vias = (message: WithHeaders): Via[] => listValues(message, 'Via').map(parseVia)

/** The top Via, added by the last hop. */
export function via(message: WithHeaders): Via {
  const [top] = listValues(message, 'Via')
  if (top === undefined) throw malformed('Missing Via')
  return parseVia(top)
}

/**
 * The branch that identifies the transaction. Undefined without the magic cookie of RFC 3261, or with nothing after it:
 * then it is not unique, and the matching rules of RFC 2543 apply (17.2.3).
 */
export function uniqueBranch({ params }: Via): string | undefined {
  const branch = params.get('branch') ?? ''
  return branch.startsWith(magicCookie) && branch.length > magicCookie.length ? branch : undefined
}

export function newBranch(random: string): string {
  return `${magicCookie}${random}`
}

/**
 * RFC 3261, 18.2.1 and RFC 3581, 4: before anything else, a receiver writes the source address of a request into its
 * top Via.
 */
export function addReceived<R extends WithHeaders>(request: R, source: Source, forcesRport = false): R {
  const at = request.headers.findIndex(({ name }) => name === 'Via')
  const header = request.headers[at]
  if (!header) return request
  const [top = '', ...below] = splitOutside(header.value, ',')
  const value = [formatVia(withReceived(parseVia(top), source, forcesRport)), ...below].join(', ')
  return { ...request, headers: request.headers.with(at, { ...header, value }) }
}

/** `forcesRport`: as if the sender had asked for it. */
export function withReceived(via: Via, source: Source, forcesRport = false): Via {
  const wantsRport = forcesRport || via.params.get('rport') === ''
  if (!wantsRport && via.host === source.address) return via
  const params = new Map(via.params)
  params.set('received', source.address)
  if (wantsRport) params.set('rport', String(source.port))
  return { ...via, params }
}

/** Where the response is sent over an unreliable transport; if the port is undefined, the transport's default is used. */
export function replyTo(via: Via): { host: string; port: number | undefined } {
  const host = via.params.get('maddr') || via.params.get('received') || via.host
  return { host, port: readNumber(via.params.get('rport') ?? '') ?? via.port }
}

/** D252: where the proxy that sent us a request got it from: the source it wrote into the Via below its own. */
export function senderBehindProxy(request: WithHeaders): Source | undefined {
  const [, below] = vias(request)
  if (!below) return undefined
  const address = below.params.get('received') ?? below.host
  const port = readNumber(below.params.get('rport') ?? '') ?? below.port ?? 5060
  return isIP(address) === 0 ? undefined : { address, port }
}
