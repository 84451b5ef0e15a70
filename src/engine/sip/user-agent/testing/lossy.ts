/** Two user agents on true transactions, joined by a network that loses and delays packets, the same ones each time. */
import { createTestTimers } from '../../../../kit/testing/test-timers.ts'
import { addReceived } from '../../headers/via.ts'
import { parseMessage } from '../../parser/parse.ts'
import type { Wire } from '../../transaction/client/outgoing-request.ts'
import { createTransactions } from '../../transaction/transaction-layer.ts'
import { type End, places } from './line.ts'
import { createPerson, settle } from './people.ts'

type Network = { seed: number; loss: number; delay: number }

export function createLossyScene({ seed, loss, delay }: Network) {
  const timers = createTestTimers()
  const dice = createDice(seed)
  const listeners: Partial<Record<End, Parameters<Wire['listen']>[0]>> = {}
  const near = personAt('near')
  const far = personAt('far')

  function personAt(end: End) {
    const other = end === 'near' ? 'far' : 'near'
    const flow = { transport: 'udp', local: places[end], remote: places[other] } as const
    const back = { transport: 'udp', local: places[other], remote: places[end] } as const
    function deliver(bytes: Buffer) {
      const message = parseMessage(bytes)
      const noted = message.kind === 'request' ? addReceived(message, places[end]) : message
      listeners[other]?.onMessage(noted, back)
    }
    const transports: Wire = {
      ports: () => ({ udp: places[end].port }),
      sentBy: () => ({ host: places[end].address, port: places[end].port }),
      send(bytes) {
        if (dice() >= loss) timers.after(1 + Math.floor(dice() * delay), () => deliver(bytes))
        return flow
      },
      answer() {},
      close() {},
      listen(listener) {
        listeners[end] = listener
      },
    }
    const transactions = createTransactions({ transports, timers, log: { error: () => {} } })
    return createPerson(transactions, end, { timers, sessionSeconds: 1800, transport: 'udp', random: dice })
  }

  async function pass(ms: number) {
    for (let left = ms; left > 0; left -= 20) {
      timers.advance(20)
      await settle()
    }
  }
  return { timers, near, far, pass }
}

/** A sequence that looks like chance and is the same for the same seed (mulberry32). */
function createDice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
