/** Runs the shards of a run in processes of their own, several at once, and adds up what came of them. */
import { createHash } from 'node:crypto'
import { createSemaphore } from '../../src/kit/semaphore.ts'
import type { KeptOutcomes } from './kept-outcomes.ts'
import { argsOf, type Shard } from './plan.ts'
import { type Found, type Outcome, simulate } from './simulate-process.ts'
import { findSmallerRun } from './smaller-replay.ts'

type Options = {
  program: string
  shards: readonly Shard[]
  /** How many run at once. */
  jobs: number
  /** Real time after which no further shard begins. */
  maxSeconds: number
  /** Further options of each run. */
  shape: readonly string[]
  kept: KeptOutcomes
  note(line: string): void
}

export async function runShards({ program, shards, jobs, maxSeconds, shape, kept, note }: Options) {
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  const semaphore = createSemaphore(jobs)
  const outcomes = await Promise.all(
    shards.map((shard, index) =>
      semaphore.run(async () => {
        const known = kept.find(shard)
        if (known) return known
        if (seconds() > maxSeconds) return undefined
        const startedAt = seconds()
        const outcome = await runShard(shard)
        kept.keep(shard, outcome)
        const took = Math.round(seconds() - startedAt)
        note(
          `shard ${index + 1} of ${shards.length}: ${outcome.calls} calls, ${outcome.found.length} violations, ${took} s`,
        )
        if (outcome.found.length === 0) return outcome
        note(outcome.replay)
        const smaller = await findSmallerRun(outcome, (calls) => runShard({ ...shard, calls }))
        if (smaller) note(`Fewer calls show a violation too: ${smaller.replay}`)
        return outcome
      }),
    ),
  )
  const ran = outcomes.filter((outcome) => outcome !== undefined)
  return { shards: ran.length, ...sumOf(ran), seconds: seconds() }

  async function runShard(shard: Shard): Promise<Outcome> {
    const args = argsOf(shard, shape)
    return await simulate(program, args).catch((error: Error) => failed(args, error))
  }
}

/** A run without a result counts as a violation. */
function failed(args: readonly string[], error: Error): Outcome {
  const found: Found[] = [{ check: 'settled', text: error.message }]
  const replay = `npm run simulate -- ${args.join(' ')}`
  const nothing = { calls: 0, rang: 0, talked: 0, simulatedSeconds: 0, statements: 0, events: 0 }
  return { hash: '', ...nothing, faults: {}, replay, found }
}

function sumOf(outcomes: readonly Outcome[]) {
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((all, one) => all + of(one), 0)
  const kinds = [...new Set(outcomes.flatMap(({ faults }) => Object.keys(faults)))]
  return {
    hash: createHash('sha256')
      .update(outcomes.map(({ hash }) => hash).join())
      .digest('hex')
      .slice(0, 16),
    calls: sum(({ calls }) => calls),
    rang: sum(({ rang }) => rang),
    talked: sum(({ talked }) => talked),
    simulatedSeconds: sum(({ simulatedSeconds }) => simulatedSeconds),
    statements: sum(({ statements }) => statements),
    events: sum(({ events }) => events),
    faults: Object.fromEntries(kinds.map((kind) => [kind, sum(({ faults }) => faults[kind] ?? 0)])),
    found: outcomes.flatMap(({ found, replay }) => found.map((one) => ({ ...one, replay }))),
  }
}
