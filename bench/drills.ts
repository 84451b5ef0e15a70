/**
 * `npm run drills -- [--seconds 45] [--only voice]`: faults staged one after the other in a fleet of network namespaces that carries calls, on a
 * PostgreSQL of its own. Needs root, iproute2 and redis-server.
 */
import { parseArgs } from 'node:util'
import { runDrills } from './parts/drills/drills.ts'
import { startScratchDatabase } from './parts/scratch-database.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '45' }, only: { type: 'string', default: '' } },
})
const note = (line: string) => process.stderr.write(`${line}\n`)
const database = await startScratchDatabase()
try {
  const { violations, calls, faults } = await runDrills({
    databaseUrl: database.url,
    seconds: Number(values.seconds),
    together: false,
    only: values.only,
    note,
    onStarted(close) {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.once(signal, () =>
          close()
            .then(database.stop)
            .finally(() => process.exit(1)),
        )
      }
    },
  })
  for (const line of violations) process.stdout.write(`${line}\n`)
  note(`${faults.length} faults, ${calls} calls: ${violations.length === 0 ? 'all held' : 'NOT ALL HELD'}`)
  process.exitCode = violations.length === 0 ? 0 : 1
} finally {
  await database.stop()
}
