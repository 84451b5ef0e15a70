import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openKeptOutcomes } from './kept-outcomes.ts'
import { planShards } from './plan.ts'

const shards = planShards({
  seed: 7,
  calls: 30_000,
  shardCalls: 10_000,
  rate: undefined,
  faultEvery: undefined,
})
const outcome = {
  hash: 'a',
  calls: 10_000,
  rang: 6_000,
  talked: 4_000,
  simulatedSeconds: 300,
  statements: 1,
  events: 1,
  faults: {},
  replay: '',
  found: [],
}

test('D558: a run that was interrupted finds the outcomes of its shards again, also beside a line that was cut off', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-outcomes-'))
  const [first, second, third] = shards
  if (!first || !second || !third) throw new Error('three shards were planned')
  try {
    const file = join(folder, 'run.jsonl')
    const before = openKeptOutcomes(file)
    expect(before.find(first)).toBeUndefined()
    before.keep(first, outcome)
    before.keep(second, { ...outcome, hash: 'b' })
    appendFileSync(file, '{"shard":{"see')
    const after = openKeptOutcomes(file)
    expect(after.find(first)).toEqual(outcome)
    expect(after.find(second)?.hash).toBe('b')
    expect(after.find(third)).toBeUndefined()
    expect(after.find({ ...first, calls: 9_999 })).toBeUndefined()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
