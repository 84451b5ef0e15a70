/** What a REGISTER wants done (RFC 3261, 10.3, steps 6 and 7). */
import type { Address } from '../../sip/headers/address.ts'
import { parseAddress } from '../../sip/headers/address.ts'
import { expires } from '../../sip/headers/numbers.ts'
import { contactExpires, contactInstance, contactQ, contacts } from '../../sip/headers/parties.ts'
import { listValues, type SipRequest } from '../../sip/message/message.ts'
import type { HeaderPairs } from '../../sip/message/request.ts'
import { SipRefusal } from '../../sip/refusal.ts'
import { closingQuote } from '../../sip/syntax/quoted.ts'
import { splitOutside } from '../../sip/syntax/split.ts'

/** Seconds. A phone that vanished without a word is believed to be there for an hour at most. */
/** D110: a phone that vanished is believed for an hour at most. */
const lifetimes = { fewest: 60, usual: 3600, most: 3600 } as const

/** Proxies between a phone and us. */
const mostPathLength = 1_024
/** Real ones have 47 characters. */
const longestInstance = 128

export type Place = {
  contact: string
  seconds: number
  instance: string | undefined
  regId: number | undefined
  path: string[]
}

export type Wish =
  | { kind: 'ask' }
  /** `Contact: *` */
  | { kind: 'clear' }
  /** `gone` are taken back; one of several that are offered is taken (D76). */
  | { kind: 'change'; gone: Address[]; place: Place | undefined }
  | { kind: 'refused'; status: number; reason?: string; headers?: HeaderPairs }

export function readWish(request: SipRequest): Wish {
  const given = contacts(request)
  if (given === '*') return expires(request) === 0 ? { kind: 'clear' } : bad('Contact * without Expires 0')
  if (given.length === 0) return { kind: 'ask' }
  const texts = listValues(request, 'Contact')
  const usual = expires(request) ?? lifetimes.usual
  const offered = given.map((address, index) => {
    const seconds = contactExpires(address) ?? usual
    return { address, text: texts[index] ?? '', seconds, q: contactQ(address) }
  })
  const gone = offered.filter(({ seconds }) => seconds === 0).map(({ address }) => address)
  const [best] = offered.filter(({ seconds }) => seconds > 0).sort((a, b) => b.q - a.q)
  if (!best) return { kind: 'change', gone, place: undefined }
  if (best.address.uri.scheme === 'tel' || best.address.uri.scheme === 'other') {
    return bad('Contact is no SIP address')
  }
  if (best.seconds < lifetimes.fewest) {
    return { kind: 'refused', status: 423, headers: [['Min-Expires', String(lifetimes.fewest)]] }
  }
  const path = readPath(request)
  if (!path) return bad('Malformed Path')
  const device = contactInstance(best.address)
  const known = device !== undefined && device.instance.length <= longestInstance
  const place = {
    contact: uriText(best.text),
    seconds: Math.min(best.seconds, lifetimes.most),
    instance: known ? device.instance : undefined,
    regId: known ? device.regId : undefined,
    path,
  }
  return { kind: 'change', gone, place }
}

function bad(reason: string): Wish {
  return { kind: 'refused', status: 400, reason }
}

function readPath(request: SipRequest): string[] | undefined {
  try {
    const path = listValues(request, 'Path')
    for (const hop of path) parseAddress(hop)
    return path.join().length > mostPathLength ? undefined : path
  } catch (error) {
    if (error instanceof SipRefusal) return undefined
    throw error
  }
}

/** The URI as it was written: some phones look for exactly that in our answer. The address has been read before. */
function uriText(address: string): string {
  const open = address.indexOf('<', address.startsWith('"') ? closingQuote(address, 0) : 0)
  if (open >= 0) return address.slice(open + 1, address.indexOf('>', open))
  return splitOutside(address, ';')[0] ?? address
}
