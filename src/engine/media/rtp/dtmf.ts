/** Keys pressed, as RFC 4733 sends them. */

import type { Side } from '../relay/side.ts'
import { type RtpHeader, timestampStep } from './rtp.ts'

export const keys = '0123456789*#ABCD'

/** A key is sent in many packets with one timestamp; only the first of them tells it. */
export function readDigit(
  side: Pick<Side, 'dtmfSsrc' | 'dtmfStamp'>,
  packet: Buffer,
  { ssrc, timestamp, from }: RtpHeader,
): string | undefined {
  if (side.dtmfSsrc === ssrc && timestampStep(side.dtmfStamp, timestamp) <= 0) return undefined
  side.dtmfSsrc = ssrc
  side.dtmfStamp = timestamp
  return keys[packet[from] ?? keys.length]
}
