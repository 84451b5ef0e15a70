/** `npm run simulate -- [--calls 2000] [--seed n] [--rate 20] [--fault-every 3]`: a run, and what the auditor finds in it. */
import { randomInt } from 'node:crypto'
import { enableCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runPlanted } from './planted/run-planted.ts'
import { openKeptOutcomes } from './shards/kept-outcomes.ts'
import { planShards } from './shards/plan.ts'
import { runShards } from './shards/run-shards.ts'

/** D558: a run of more calls is split. */
const defaultShardCalls = 4_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    calls: { type: 'string', default: '2000' },
    seed: { type: 'string' },
    rate: { type: 'string' },
    'fault-every': { type: 'string' },
    'shard-calls': { type: 'string', default: String(defaultShardCalls) },
    /** A file that keeps the outcomes of shards: the same command goes on with those that are missing. */
    outcomes: { type: 'string' },
    /** Shards, or planted bugs, that run at once. */
    jobs: { type: 'string', default: String(availableParallelism() + 1) },
    /** Real time after which no further call is made, and no further shard begun. */
    seconds: { type: 'string', default: '100000' },
    /** By the rate, unless it is given: an office makes about five calls in a second. */
    accounts: { type: 'string' },
    extensions: { type: 'string', default: '3' },
    settle: { type: 'string', default: '60' },
    history: { type: 'string' },
    trace: { type: 'string' },
    json: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    log: { type: 'string', default: 'silent' },
  },
})
const seed = Number(values.seed ?? randomInt(2 ** 31))
const calls = Number(values.calls)
const jobs = Number(values.jobs)
const shardCalls = Number(values['shard-calls'])
const maxSeconds = Number(values.seconds)
const note = (line: string) => process.stderr.write(`${line}\n`)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/** Those of the options that were given, or have a default, as they are given. */
const given = (names: readonly (keyof typeof values)[]) =>
  names.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, String(values[name])]))
const shape = given(['accounts', 'extensions', 'settle'])

if (values.planted) {
  const isAllFound = await runPlanted({
    names: positionals,
    seed,
    maxCalls: calls,
    jobs,
    shape: [...given(['rate', 'fault-every']), ...shape],
    note: (line) => process.stdout.write(`${line}\n`),
  })
  process.exit(isAllFound ? 0 : 1)
}
note(`seed ${seed}`)
const isSplit = calls > shardCalls
const { found, replay, ...figures } = isSplit ? await simulateShards() : await simulateOne()
const summary = { seed, ...figures, violations: found.length }
if (values.json)
  process.stdout.write(`${JSON.stringify({ ...summary, replay, found: found.slice(0, 40) })}\n`)
else {
  process.stdout.write(`${JSON.stringify(summary, undefined, 2)}\n`)
  for (const { check, text } of found.slice(0, 40)) process.stdout.write(`${check}: ${text}\n`)
  for (const command of new Set(found.map((one) => ('replay' in one ? one.replay : replay))))
    process.stdout.write(`To see it again: ${command}\n`)
}
process.exit(found.length === 0 ? 0 : 1)

async function simulateShards() {
  const rate = values.rate
  const faultEvery = values['fault-every']
  const shards = planShards({ seed, calls, shardCalls, rate, faultEvery })
  const program = fileURLToPath(import.meta.url)
  const kept = openKeptOutcomes(values.outcomes)
  const summed = await runShards({ program, shards, jobs, maxSeconds, shape, kept, note })
  const options = given(['rate', 'fault-every', 'shard-calls'])
  return { ...summed, replay: command([...options, ...shape], calls) }
}

async function simulateOne() {
  // The service is loaded only here, and without the module that strips its types except for the first time.
  enableCompileCache()
  const { simulateHere } = await import('./sim/simulate-here.ts')
  const rate = values.rate ?? '20'
  const faultEvery = values['fault-every'] ?? '3'
  const accounts = values.accounts ?? String(Math.max(4, Math.ceil(Number(rate) / 5)))
  const result = await simulateHere({
    calls,
    seed,
    rate: Number(rate),
    faultEvery: Number(faultEvery),
    maxSeconds,
    accounts: Number(accounts),
    extensions: Number(values.extensions),
    settleSeconds: Number(values.settle),
    logLevel: values.log as 'silent',
    historyFile: values.history,
    traceFile: values.trace,
    note,
  })
  // How many calls were made may have been limited by the time, or be one more than were asked for.
  const whole = result.calls > defaultShardCalls ? ['--shard-calls', String(result.calls)] : []
  const replay = command([...whole, '--rate', rate, '--fault-every', faultEvery, ...shape], result.calls)
  return { ...result, replay }
}

function command(options: readonly string[], made: number): string {
  return ['npm run simulate -- --seed', seed, '--calls', made, ...options].join(' ')
}
