/**
 * `npm run failover -- [--times 10] [--asynchronous] [--patroni] [--seed n]`: kills the primary of two PostgreSQL under calls and
 * promotes its replica, or lets Patroni do it. Needs PostgreSQL of the distribution, and for Patroni its packages `patroni`,
 * `etcd-server` and `python3-etcd`.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { runFailovers } from './parts/failover/failovers.ts'
import { startPatroniPair } from './parts/failover/patroni-pair.ts'
import { startPostgresPair } from './parts/failover/postgres-pair.ts'

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '10' },
    asynchronous: { type: 'boolean', default: false },
    patroni: { type: 'boolean', default: false },
    seed: { type: 'string' },
  },
})
const seed = Number(values.seed ?? randomInt(2 ** 31))
const note = (line: string) => process.stderr.write(`${line}\n`)
const { violations, ...figures } = await runFailovers({
  times: Number(values.times),
  startPair: values.patroni ? startPatroniPair : startPostgresPair,
  synchronous: !values.asynchronous,
  seed,
  note,
})
process.stdout.write(`${JSON.stringify({ seed, ...figures }, undefined, 2)}\n`)
for (const line of violations) process.stdout.write(`${line}\n`)
note(violations.length === 0 ? 'All held' : 'NOT ALL HELD')
process.exitCode = violations.length === 0 ? 0 : 1
