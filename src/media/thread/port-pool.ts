/** The free RTP ports, in pairs: an even one for RTP and the next for RTCP. A pair belongs to one call at a time. */
import { randomInt } from 'node:crypto'

export type PortRange = { from: number; to: number }

/** Late packets of an ended call must not reach the next one. */
const restMs = 10_000

/**
 * D174: ports are chosen at random, so that nobody can guess where the sound of the next call is expected, and rest before
 * they are used again, unless no other is left.
 */
export function createPortPool({ from, to }: PortRange, now: () => number = () => performance.now()) {
  const ready: number[] = []
  /** With the time until which each rests, the first to be ready first. */
  const resting = new Map<number, number>()
  for (let port = from + (from % 2); port + 1 <= to; port += 2) ready.push(port)
  if (ready.length < 2) throw new RangeError('the range of RTP ports is too small for one call')

  function wake() {
    for (const [port, until] of resting) {
      if (until > now()) return
      resting.delete(port)
      ready.push(port)
    }
  }

  function takeReady(): number | undefined {
    if (ready.length === 0) return undefined
    const index = randomInt(ready.length)
    const port = ready[index]
    const last = ready.pop()
    if (last !== undefined && index < ready.length) ready[index] = last
    return port
  }

  function takeResting(): number | undefined {
    for (const port of resting.keys()) {
      resting.delete(port)
      return port
    }
    return undefined
  }

  return {
    /** The even port of a pair; undefined if none is free. */
    take(): number | undefined {
      wake()
      return takeReady() ?? takeResting()
    },
    /** To be called once for each pair that was taken. */
    release(port: number) {
      resting.set(port, now() + restMs)
    },
    free: () => ready.length + resting.size,
  }
}
