/** `npm run crash-matrix -- [--calls 100000] [--nodes 3] [--rounds n] [--seed n]`: the long form of the crash matrix, on a PostgreSQL of its own. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { runCrashMatrix } from './parts/crash/matrix.ts'
import { startScratchDatabase } from './parts/scratch-database.ts'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '100000' },
    nodes: { type: 'string', default: '1' },
    rounds: { type: 'string' },
    seed: { type: 'string' },
  },
})
const calls = Number(values.calls)
const nodes = Number(values.nodes)
const rounds = Number(values.rounds ?? Math.min(100, Math.max(2, Math.ceil(calls / 500))))
const seed = Number(values.seed ?? randomInt(2 ** 31))
const note = (line: string) => process.stderr.write(`${line}\n`)

const database = await startScratchDatabase()
const began = performance.now()
try {
  note(`${calls} calls on ${nodes} nodes in ${rounds} rounds, seed ${seed}`)
  const { violations, ...figures } = await runCrashMatrix({
    databaseUrl: database.url,
    calls,
    nodes,
    rounds,
    turns: rounds,
    seed,
    note,
  })
  process.stdout.write(`${JSON.stringify({ seed, ...figures }, undefined, 2)}\n`)
  for (const line of violations) process.stdout.write(`${line}\n`)
  note(
    `${violations.length === 0 ? 'All held' : 'NOT ALL HELD'}, ${Math.round((performance.now() - began) / 1000)} s`,
  )
  process.exitCode = violations.length === 0 ? 0 : 1
} finally {
  await database.stop()
}
