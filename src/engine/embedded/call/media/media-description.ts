/** Descriptions for the media thread: of a side by its SDP, and of one that is linked to another call. */
import { audioCodecNames, codecNamed } from '../../../../media/codecs/registry.ts'
import type { Description } from '../../../../media/relay/side.ts'
import { usualTelephoneEvent } from '../../../../sip/sdp/codecs.ts'
import type { Terms } from '../../../../sip/sdp/terms.ts'
import { mediaAddress } from './media-address.ts'

/** The same in every call: what one side sends, the other knows. */
const payloads: Description['payloads'] = [
  ...audioCodecNames.map((codec) => ({ number: codecNamed(codec).payloadType, codec })),
  { number: usualTelephoneEvent, codec: 'telephone-event' },
]

/** D282: a side whose sound comes from, and goes to, another call on this machine. `host`: where our sockets are bound. Those that listen on all addresses are reached, and send, by loopback. */
export function describeLink(host: string, port: number): Description {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return { address, port, payloads }
}

/** `formats`: those in which the side may send. */
export function describeSide(
  terms: Terms,
  formats: Terms['formats'],
  signalsFrom: string,
  ownAddress: string,
): Description {
  const { port, telephoneEvent, direction, rtcp, transport } = terms
  const keys =
    telephoneEvent === undefined ? [] : [{ number: telephoneEvent, codec: 'telephone-event' as const }]
  return {
    address: mediaAddress(terms.address, signalsFrom, ownAddress),
    port,
    signalsFrom,
    rtcpPort: rtcp.port,
    isRtcpMuxed: transport.isRtcpMuxed,
    direction,
    payloads: [...formats.map(({ payloadType, codec }) => ({ number: payloadType, codec })), ...keys],
  }
}
