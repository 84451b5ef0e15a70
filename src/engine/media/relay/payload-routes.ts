/** What each side may send and wants to hear, and how a packet of one becomes a packet of the other. */
import { conversion, decoding, type Law } from '../codecs/g711.ts'

type Codec = Law | 'CN' | 'telephone-event'

/** In order of preference, as SDP lists them. */
export type Payload = { number: number; codec: Codec }

export type Route = {
  codec: Codec
  /** The payload number at the other side; undefined when it knows nothing of the kind. */
  number: number | undefined
  /** Octet by octet into the other law. */
  convert: Uint8Array | undefined
  /** To linear, for the recording; undefined for what is no sound. */
  decode: Int16Array | undefined
}

const isLaw = (codec: Codec): codec is Law => codec === 'PCMA' || codec === 'PCMU'

/** Told by SDP, that is by strangers; a number beyond seven bits would break the packets it is written into. */
export function checkPayloads(payloads: Payload[]) {
  for (const { number } of payloads)
    if (!Number.isInteger(number) || number < 0 || number > 127)
      throw new RangeError(`${number} is no RTP payload type`)
}

/** The law in which something of our own is played to a side. */
export function lawOf(payloads: Payload[]): { number: number; law: Law } | undefined {
  for (const { number, codec } of payloads) if (isLaw(codec)) return { number, law: codec }
  return undefined
}

/** By payload number of the sender. A number not in it was never agreed. */
export function routesBetween(sender: Payload[], hearer: Payload[]): (Route | undefined)[] {
  const routes = new Array<Route | undefined>(128).fill(undefined)
  const spoken = lawOf(hearer)
  for (const { number, codec } of sender) {
    const same = hearer.find((payload) => payload.codec === codec)
    const other = isLaw(codec) && !same ? spoken : undefined
    routes[number] = {
      codec,
      number: same?.number ?? other?.number,
      convert: other && isLaw(codec) ? conversion[codec] : undefined,
      decode: isLaw(codec) ? decoding[codec] : undefined,
    }
  }
  return routes
}
