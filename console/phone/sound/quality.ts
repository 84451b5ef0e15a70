/** How well a call sounds, from what the browser counts: loss, jitter and round-trip time. */
import type { PhoneCall } from '../moves/phone.ts'

const everyMs = 3_000

export function measureQuality(
  connection: RTCPeerConnection,
  onQuality: (quality: PhoneCall['quality']) => void,
): () => void {
  let before = { lost: 0, received: 0 }

  async function measure() {
    let lost = 0
    let received = 0
    let jitter = 0
    let roundTrip = 0
    for (const report of (await connection.getStats()).values()) {
      if (report.type === 'inbound-rtp') {
        lost = report.packetsLost ?? 0
        received = report.packetsReceived ?? 0
        jitter = report.jitter ?? 0
      }
      if (report.type === 'candidate-pair' && report.nominated) roundTrip = report.currentRoundTripTime ?? 0
    }
    const arrived = received - before.received
    const share = arrived > 0 ? (lost - before.lost) / arrived : 1
    before = { lost, received }
    if (share > 0.08 || jitter > 0.08 || roundTrip > 0.5) onQuality('poor')
    else if (share > 0.02 || jitter > 0.03 || roundTrip > 0.25) onQuality('fair')
    else onQuality('good')
  }

  const timer = setInterval(() => void measure().catch(() => {}), everyMs)
  return () => clearInterval(timer)
}
