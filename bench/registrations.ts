/** Registered phones: the memory of ten thousand, and how many register in a second. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Engine, withEngine } from './parts/pbx/pbx.ts'
import { cpuSeconds } from './parts/process-figures.ts'
import { median } from './parts/rounds.ts'
import { withSipEndpoints } from './parts/sip-endpoints/sip-endpoints.ts'
import { alone, type Result } from './parts/table.ts'

const held = 10_000
const first = 100_000
/** Responses are cached this long for retransmitted requests (RFC 3261, timer J). */
const answersKeptMs = 35_000
const rounds = 5
const seconds = 5

export function registrations(): Promise<Result[]> {
  return withSipEndpoints('without RTP', async (endpoints) => {
    // A first start compiles every source file, and keeps some of what that took.
    await withEngine({ endpoints, records: false }, async () => {})
    return await withEngine({ endpoints, records: false }, async (engine) => [
      ...(await measureMemory(engine)),
      ...(await measureRate(engine)),
    ])
  })
}

async function measureMemory({ ask, register }: Engine): Promise<Result[]> {
  const before = await ask('memory')
  await register(held, first)
  await sleep(answersKeptMs)
  const { registrations: now = 0 } = await ask('figures')
  if (now < held) throw new Error(`only ${now} phones are registered`)
  const after = await ask('memory')
  const rss = alone(`registrations, RSS with ${held}`, [after.rss], 'MB', { below: 150 })
  const heap = alone(`registrations, heap of ${held}`, [after.heap - before.heap], 'MB')
  return [
    { ...rss, baseline: `${before.rss.toFixed(0)} MB (with few)` },
    { ...heap, baseline: `${before.heap.toFixed(0)} MB (with few)` },
  ]
}

/** Registered phones register again: a challenge and a digest response each. */
async function measureRate({ register, pid }: Engine): Promise<Result[]> {
  const rates: number[] = []
  const costs: number[] = []
  await register(held, first, seconds)
  for (let round = 0; round < rounds; round++) {
    const before = cpuSeconds(pid)
    const { done, seconds: took } = await register(held, first, seconds)
    rates.push(done / took)
    costs.push(((cpuSeconds(pid) - before) / done) * 1e6)
  }
  const rate = alone('registrations, digest REGISTERs', rates, '/s', { atLeast: 1_000 })
  return [{ ...rate, measured: `${rate.measured} (${median(costs).toFixed(0)} us CPU each)` }]
}
