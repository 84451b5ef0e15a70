/**
 * D558: a run of many calls is split into shards: each has a database, processes, offices and a seed of its own, which follow
 * from the seed of the run.
 */
import { createSeededRandom } from '../../bench/parts/crash/seeded-random.ts'

export type Shard = { seed: number; calls: number; rate: string; faultEvery: string }

export type ShardPlan = {
  seed: number
  calls: number
  /** The most calls of one shard. */
  shardCalls: number
  /** Rate and faults of each shard; the seed chooses those that are undefined. */
  rate: string | undefined
  faultEvery: string | undefined
}

/** A busy fleet with few faults finds other mistakes than a calm one with many. */
const rates = ['60', '120', '240']
const meansBetweenFaults = ['1.5', '3', '6']

export function planShards({ seed, calls, shardCalls, rate, faultEvery }: ShardPlan): Shard[] {
  const random = createSeededRandom(seed)
  const count = Math.ceil(calls / shardCalls)
  return Array.from({ length: count }, (_, index) => {
    // Drawn in any case, so that an option changes nothing else.
    const drawn = {
      seed: random.below(2 ** 31),
      rate: random.pick(rates) ?? '',
      faultEvery: random.pick(meansBetweenFaults) ?? '',
    }
    return {
      seed: drawn.seed,
      calls: Math.floor(calls / count) + (index < calls % count ? 1 : 0),
      rate: rate ?? drawn.rate,
      faultEvery: faultEvery ?? drawn.faultEvery,
    }
  })
}

/** The options of its run, which is not split again. `shape`: further ones. */
export function argsOf({ seed, calls, rate, faultEvery }: Shard, shape: readonly string[]): string[] {
  const size = ['--calls', String(calls), '--shard-calls', String(calls)]
  return ['--seed', String(seed), ...size, '--rate', rate, '--fault-every', faultEvery, ...shape]
}
