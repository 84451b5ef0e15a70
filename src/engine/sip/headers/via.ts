/** The way back: every hop of a request leaves a Via, and responses follow them (RFC 3261, 18.2; RFC 3581). */
import type { WithHeaders } from '../header.ts'
import { listValues } from '../message/message.ts'
import { malformed } from '../refusal.ts'
import { formatParams, type Params, readParams } from '../syntax/params.ts'
import { splitOutside } from '../syntax/split.ts'
import { isToken, readNumber } from '../syntax/token.ts'
import { formatHostPort, readHostPort } from '../uri/host.ts'

export type Via = { transport: string; host: string; port: number | undefined; params: Params }

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

/** The last hop's, on top. */
export function via(message: WithHeaders): Via {
  const [top] = listValues(message, 'Via')
  if (top === undefined) throw malformed('Missing Via')
  return parseVia(top)
}

/**
 * Names the transaction, if its maker followed RFC 3261. Without the cookie, or with nothing behind it,
 * it is not unique and the older rules of matching hold (17.2.3).
 */
export function uniqueBranch({ params }: Via): string | undefined {
  const branch = params.get('branch') ?? ''
  return branch.startsWith(magicCookie) && branch.length > magicCookie.length ? branch : undefined
}

export function newBranch(random: string): string {
  return `${magicCookie}${random}`
}

/** What the receiver notes on the top Via: where the request really came from. */
export function received(via: Via, source: { address: string; port: number }): Via {
  const asked = via.params.get('rport') === ''
  if (!asked && via.host === source.address) return via
  const params = new Map(via.params)
  params.set('received', source.address)
  if (asked) params.set('rport', String(source.port))
  return { ...via, params }
}

/** Where an unreliable transport sends the response; the port is for the transport to fill in. */
export function replyTo(via: Via): { host: string; port: number | undefined } {
  const maddr = via.params.get('maddr')
  if (maddr) return { host: maddr, port: via.port }
  const host = via.params.get('received') || via.host
  return { host, port: readNumber(via.params.get('rport') ?? '') ?? via.port }
}
