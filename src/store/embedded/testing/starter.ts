/**
 * A process of its own that starts the database, for tests that kill it or run it as somebody else.
 *
 *   starter.ts <data folder> hold    until its input ends
 *   starter.ts <data folder> write   rows, each number printed once its commit is acknowledged
 *
 * Prints one line of JSON when the database is up, or `refused: <sentence>`.
 */
import { once } from 'node:events'
import pg from 'pg'
import { startEmbeddedPostgres } from '../embedded-postgres.ts'

const [dataDir = '', mode = 'hold'] = process.argv.slice(2)
const say = (line: string) => process.stdout.write(`${line}\n`)

try {
  const { connection, adopted, owned, stop } = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const pool = new pg.Pool({ ...connection, max: 4 })
  // Ending a pool does not wait until the server has seen it: the shutdown may still reach a session.
  pool.on('error', () => {})
  if (mode === 'write') await pool.query('create table written (id int primary key)')
  await pool.query('select 1')
  say(JSON.stringify({ adopted, owned }))
  for (let id = 1; mode === 'write'; id++) {
    await pool.query('insert into written values ($1)', [id])
    say(String(id))
  }
  process.stdin.resume()
  await once(process.stdin, 'end')
  await pool.end()
  await stop()
  say('stopped')
} catch (error) {
  say(`refused: ${error instanceof Error ? error.message : error}`)
}
