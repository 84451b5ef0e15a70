/** Outcomes of shards in a file, a line each: a run that was interrupted goes on with the shards that it lacks. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Shard } from './plan.ts'
import type { Outcome } from './simulate-process.ts'

type Kept = { shard: Shard; outcome: Outcome }

export type KeptOutcomes = {
  find(shard: Shard): Outcome | undefined
  keep(shard: Shard, outcome: Outcome): void
}

/** Without a file nothing is kept. The file belongs to one state of the sources: an outcome holds for the code that made it. */
export function openKeptOutcomes(file: string | undefined): KeptOutcomes {
  const kept = new Map<string, Outcome>()
  if (file !== undefined && existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const read = parse(line)
      if (read) kept.set(keyOf(read.shard), read.outcome)
    }
  }
  return {
    find: (shard) => kept.get(keyOf(shard)),
    keep(shard, outcome) {
      if (file !== undefined) appendFileSync(file, `${JSON.stringify({ shard, outcome } satisfies Kept)}\n`)
    },
  }
}

const keyOf = ({ seed, calls, rate, faultEvery }: Shard) => [seed, calls, rate, faultEvery].join()

/** The last line may have been cut off. */
function parse(line: string): Kept | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
