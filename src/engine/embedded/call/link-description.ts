/** D282: the description of a side whose sound comes from, and goes to, another call on this machine. */
import { audioCodecNames, codecNamed } from '../../media/codecs/registry.ts'
import type { Description } from '../../media/relay/side.ts'
import { usualTelephoneEvent } from '../../sip/sdp/codecs.ts'

/** The same in every call: what one side sends, the other knows. */
const payloads: Description['payloads'] = [
  ...audioCodecNames.map((codec) => ({ number: codecNamed(codec).payloadType, codec })),
  { number: usualTelephoneEvent, codec: 'telephone-event' },
]

/** `host`: where our sockets are bound. Those that listen on all addresses are reached, and send, by loopback. */
export function describeLink(host: string, port: number): Description {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return { address, port, payloads }
}
