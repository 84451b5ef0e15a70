/** A soak finds what grows, and does not take a table that fills for one that bloats. */
import { expect, test } from 'vitest'
import type { Sample } from '../../bench/parts/growth.ts'
import { judge, judgeLeftovers } from '../../bench/parts/soak/figures.ts'
import { tableFigures } from '../../bench/parts/soak/tables.ts'

/** Two hours, a sample each minute. `at`: minutes since the beginning. */
const soak = (figuresAt: (at: number) => Sample['figures']): Sample[] =>
  Array.from({ length: 120 }, (_, at) => ({ seconds: at * 60, figures: figuresAt(at) }))

const table = (live: number, dead: number, kb: number) =>
  tableFigures([{ name: 'calls', live, dead, bytes: kb * 1000 }])

test('memory that rises by a megabyte every five minutes grows; at a level that moves up and down it does not', () => {
  const grown = judge(soak((at) => ({ heap_mb: 60 + at / 5 })))
  expect(grown).toEqual([expect.stringMatching(/^heap_mb from 72 to 84/)])
  expect(judge(soak((at) => ({ heap_mb: 60 + 5 * Math.sin(at) })))).toEqual([])
})

test('a table that fills at a steady size of its rows does not bloat, also a small one', () => {
  expect(judge(soak((at) => table(100 + at * 50, at * 5, 200 + at * 50 * 0.8)))).toEqual([])
  expect(judge(soak((at) => table(at, 0, 48 + 8 * Math.floor(at / 40))))).toEqual([])
})

test('a table that grows without rows, or with larger ones, bloats', () => {
  expect(judge(soak((at) => table(5, 0, 100 + at * 4)))).toEqual([expect.stringMatching(/^bloat_kb_calls /)])
  const larger = soak((at) => table(100 + at * 50, 0, 200 + at * 50 * (0.8 + at / 200)))
  expect(judge(larger)).toEqual([expect.stringMatching(/^bloat_kb_calls /)])
})

test('dead rows that are never removed grow', () => {
  expect(judge(soak((at) => table(5, at * 20, 100)))).toEqual([expect.stringMatching(/^dead_share_calls /)])
})

test('what is still held when all is over is left over; OPTIONS to the carrier are not', () => {
  expect(judgeLeftovers({ calls: 0, media_used_port_pairs: 2, sip_transactions_client: 1 })).toEqual([
    'media_used_port_pairs: 2 left',
  ])
  expect(judgeLeftovers({ sip_transactions_client: 9 })).toEqual(['sip_transactions_client: 9 left'])
})
