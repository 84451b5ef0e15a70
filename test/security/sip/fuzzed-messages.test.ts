/** Twenty thousand hostile messages over UDP, TCP and WebSocket; `npm run fuzz:sip` sends as many as you like. */
import { expect, test } from 'vitest'
import { fuzzSip } from '../../../bench/parts/sip-attack/fuzz.ts'

test('hostile messages neither end the engine, nor fail inside, nor make it grow', async () => {
  const { problems, figures, heapMb } = await fuzzSip({ messages: 20_000, seed: 20_261_115 })
  expect(problems).toEqual([])
  expect(figures.sip_dropped_malformed_total).toBeGreaterThan(1_000)
  expect(figures.calls_arrived_total).toBeGreaterThan(50)
  expect(heapMb.atEnd - heapMb.afterTenth).toBeLessThan(50)
}, 300_000)
