/** Two user agents joined by a wire that loses and delays messages; the same seed gives the same losses. */
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
import { createTestAgent, settle } from './test-agents.ts'
import { createWire } from './wire.ts'

type Network = { seed: number; loss: number; delay: number }

export function createLossyScene({ seed, loss, delay }: Network) {
  const timers = createTestTimers()
  const random = createRandom(seed)
  const wire = createWire(timers)
  wire.let(() => (random() < loss ? 'lose' : { delayMs: 1 + Math.floor(random() * delay) }))
  const settings = { timers, sessionSeconds: 1800, transport: 'udp', random } as const

  async function pass(ms: number) {
    for (let left = ms; left > 0; left -= 20) {
      timers.advance(20)
      await settle()
    }
  }
  return {
    timers,
    near: createTestAgent(wire.near, 'near', settings),
    far: createTestAgent(wire.far, 'far', settings),
    pass,
  }
}

/** Pseudo-random numbers between 0 and 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
