/** Paces sent audio: one packet per 20 ms of the clock, because timers often fire late. */
export const packetMs = 20
/** So that a receiver's jitter buffer does not get a burst. */
const maxPacketsAtOnce = 2
/** Further behind than this, the missed packets are skipped. */
const maxPacketsBehind = 10

export function createPacer(start: number) {
  let next = 0

  /** Calls `send` with the index of each packet due now. */
  function sendDue(now: number, send: (index: number) => void) {
    const due = Math.floor((now - start) / packetMs) + 1
    if (due - next > maxPacketsBehind) next = due - maxPacketsAtOnce
    for (let left = Math.min(maxPacketsAtOnce, due - next); left > 0; left -= 1) send(next++)
  }
  return { sendDue }
}
