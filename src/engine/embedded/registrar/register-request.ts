/** The contents of a REGISTER (RFC 3261, 10.3, steps 6 and 7). */
import type { Address } from '../../../sip/headers/address.ts'
import { parseAddress } from '../../../sip/headers/address.ts'
import { expires } from '../../../sip/headers/numbers.ts'
import { contactExpires, contactInstance, contactQ, contacts } from '../../../sip/headers/parties.ts'
import { listValues, type SipRequest } from '../../../sip/message/message.ts'
import type { HeaderPairs } from '../../../sip/message/request.ts'
import { SipRefusal } from '../../../sip/refusal.ts'
import { closingQuote } from '../../../sip/syntax/quoted.ts'
import { splitOutside } from '../../../sip/syntax/split.ts'

/** D110: seconds. A phone that vanished counts as registered for an hour at most. */
export const lifetimes = { min: 60, default: 3600, max: 3600 } as const

/** Characters of all Path headers: the proxies between a phone and us. */
const maxPathLength = 1_024
/** Real ones have 47 characters. */
const maxInstanceLength = 128

export type OfferedContact = {
  contact: string
  seconds: number
  instance: string | undefined
  regId: number | undefined
  path: string[]
}

export type RegisterRequest =
  /** Without contacts: asks for the current binding. */
  | { kind: 'query' }
  /** `Contact: *` */
  | { kind: 'clear' }
  /** D76: of several offered contacts one is taken. */
  | { kind: 'change'; removed: Address[]; offered: OfferedContact | undefined }
  | { kind: 'refused'; status: number; reason?: string; headers?: HeaderPairs }

/**
 * D110: where there are several voice nodes, a phone whose node has died is back at another within five minutes. Lifetimes
 * differ, so that the phones of a dead node do not all come at once, nor at the same moment ever after.
 */
export function fleetSeconds(random = Math.random()): number {
  return 300 - Math.floor(random * 60)
}

export function readRegisterRequest(
  request: SipRequest,
  maxSeconds: number = lifetimes.max,
): RegisterRequest {
  const given = contacts(request)
  if (given === '*') return expires(request) === 0 ? { kind: 'clear' } : bad('Contact * without Expires 0')
  if (given.length === 0) return { kind: 'query' }
  const texts = listValues(request, 'Contact')
  const defaultSeconds = expires(request) ?? lifetimes.default
  const candidates = given.map((address, index) => {
    const seconds = contactExpires(address) ?? defaultSeconds
    return { address, text: texts[index] ?? '', seconds, q: contactQ(address) }
  })
  const removed = candidates.filter(({ seconds }) => seconds === 0).map(({ address }) => address)
  const [best] = candidates.filter(({ seconds }) => seconds > 0).sort((a, b) => b.q - a.q)
  if (!best) return { kind: 'change', removed, offered: undefined }
  if (best.address.uri.scheme === 'tel' || best.address.uri.scheme === 'other') {
    return bad('Contact is no SIP address')
  }
  if (best.seconds < lifetimes.min) {
    return { kind: 'refused', status: 423, headers: [['Min-Expires', String(lifetimes.min)]] }
  }
  const path = readPath(request)
  if (!path) return bad('Malformed Path')
  const device = contactInstance(best.address)
  const known = device !== undefined && device.instance.length <= maxInstanceLength
  const offered = {
    contact: uriText(best.text),
    seconds: Math.min(best.seconds, maxSeconds),
    instance: known ? device.instance : undefined,
    regId: known ? device.regId : undefined,
    path,
  }
  return { kind: 'change', removed, offered }
}

function bad(reason: string): RegisterRequest {
  return { kind: 'refused', status: 400, reason }
}

function readPath(request: SipRequest): string[] | undefined {
  try {
    const path = listValues(request, 'Path')
    for (const hop of path) parseAddress(hop)
    return path.join().length > maxPathLength ? undefined : path
  } catch (error) {
    if (error instanceof SipRefusal) return undefined
    throw error
  }
}

/** The URI as it was written: some phones expect exactly that in the response. The address is known to be valid. */
function uriText(address: string): string {
  const open = address.indexOf('<', address.startsWith('"') ? closingQuote(address, 0) : 0)
  if (open >= 0) return address.slice(open + 1, address.indexOf('>', open))
  return splitOutside(address, ';')[0] ?? address
}
