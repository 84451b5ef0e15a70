/** One packet per 20 ms, by the clock and not by the timer, which is often late. */
export const packetMs = 20
const mostAtOnce = 2
/** Further behind than this, what was missed stays unplayed. */
const mostBehind = 10

export function createPace(start: number) {
  let next = 0

  /** Calls `play` with the number of each packet due; twice at most, so that nobody gets a burst. */
  function keep(now: number, play: (index: number) => void) {
    const due = Math.floor((now - start) / packetMs) + 1
    if (due - next > mostBehind) next = due - mostAtOnce
    for (let left = Math.min(mostAtOnce, due - next); left > 0; left -= 1) play(next++)
  }
  return { keep }
}
