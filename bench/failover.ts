/**
 * `npm run failover -- [--times 10] [--asynchronous] [--seed n]`: kills the primary of two PostgreSQL under calls and promotes its
 * replica. Needs PostgreSQL of the distribution.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { runFailovers } from './parts/failover/failovers.ts'

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '10' },
    asynchronous: { type: 'boolean', default: false },
    seed: { type: 'string' },
  },
})
const seed = Number(values.seed ?? randomInt(2 ** 31))
const note = (line: string) => process.stderr.write(`${line}\n`)
const { violations, ...figures } = await runFailovers({
  times: Number(values.times),
  synchronous: !values.asynchronous,
  seed,
  note,
})
process.stdout.write(`${JSON.stringify({ seed, ...figures }, undefined, 2)}\n`)
for (const line of violations) process.stdout.write(`${line}\n`)
note(violations.length === 0 ? 'All held' : 'NOT ALL HELD')
process.exitCode = violations.length === 0 ? 0 : 1
