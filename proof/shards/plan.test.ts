import { expect, test } from 'vitest'
import { argsOf, planShards } from './plan.ts'

const plan = { seed: 7, calls: 2_500, shardCalls: 1_000, rate: undefined, faultEvery: undefined }

test('D558: the shards of a run have all of its calls, none more than a shard may have', () => {
  const calls = planShards(plan).map((shard) => shard.calls)
  expect(calls).toEqual([834, 833, 833])
})

test('D558: the seeds of the shards follow from the seed of the run and differ', () => {
  const shards = planShards({ ...plan, calls: 50_000 })
  expect(planShards({ ...plan, calls: 50_000 })).toEqual(shards)
  expect(new Set(shards.map(({ seed }) => seed)).size).toBe(50)
  expect(planShards({ ...plan, calls: 50_000, seed: 8 })[0]?.seed).not.toBe(shards[0]?.seed)
})

test('D558: shards differ in their rate and their faults, unless options say otherwise', () => {
  const shards = planShards({ ...plan, calls: 50_000 })
  expect(new Set(shards.map(({ rate }) => rate)).size).toBe(3)
  expect(new Set(shards.map(({ faultEvery }) => faultEvery)).size).toBe(3)
  const fixed = planShards({ ...plan, calls: 50_000, rate: '5' })
  expect(fixed.map(({ seed }) => seed)).toEqual(shards.map(({ seed }) => seed))
  expect(new Set(fixed.map(({ rate }) => rate))).toEqual(new Set(['5']))
})

test('D558: a shard is not split again, however many calls it has', () => {
  const args = argsOf({ seed: 3, calls: 12_500, rate: '60', faultEvery: '3' }, ['--extensions', '3'])
  expect(args.join(' ')).toBe(
    '--seed 3 --calls 12500 --shard-calls 12500 --rate 60 --fault-every 3 --extensions 3',
  )
})
