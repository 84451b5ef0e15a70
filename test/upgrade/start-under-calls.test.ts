/**
 * D226: this version brings the database of the previous release up to date while that serves calls. Once in a run of all
 * tests; UPGRADE_STARTS=10 tries it ten times, each on a new database.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openFleetOffice, playing } from '../fleet/office.ts'
import { runRamal } from '../helpers/ramal-process.ts'
import { createTestDatabase } from '../helpers/test-database.ts'
import { missingHistory, unpackPreviousVersion } from './previous-version.ts'

const starts = Number(process.env.UPGRADE_STARTS ?? 1)
const extensions = ['1000', '1001', '1002', '1003', '1004']
const missing = missingHistory()
const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

async function createEmptyDatabase() {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  await client.end()
  return database
}

/** The exit code of the migration, and the answers to calls meanwhile, by status. */
async function migrateUnderCalls(folder: string) {
  const database = await createEmptyDatabase()
  const office = await openFleetOffice(database.url)
  try {
    const options = { roles: 'api,worker,voice', where: { folder } }
    const previous = await office.startVoice('previous', '28300-28399', options)
    await office.open(previous, extensions)
    await Promise.all(extensions.map((number) => office.startPhone(number, previous)))
    const answers: Record<string, number> = {}
    let isOver = false
    const callAgain = async (extension: string) => {
      for (; !isOver; await sleep(100)) {
        const wanted = { extension, called: playing }
        const headers = { 'X-Allow-Duplicate': 'true' }
        const { status, body } = await previous.api.post('/calls', wanted, { ...office.as(), headers })
        answers[status] = (answers[status] ?? 0) + 1
        if (status === 200) await office.hangUp(previous, body.id)
      }
    }
    const load = Promise.all(extensions.map(callAgain))
    await expect.poll(() => answers[200] ?? 0, { timeout: 60_000 }).toBeGreaterThan(10)
    const { code, text } = await runRamal(['migrate'], office.env)
    isOver = true
    await load
    return { code, text, answers, violations: await office.violations() }
  } finally {
    await office.close()
    await database.drop()
  }
}

test('the database of the previous release is brought up to date while it serves calls, and no call is refused', async (t) => {
  t.skip(missing !== undefined, missing)
  const previous = unpackPreviousVersion()
  closing.push(previous.remove)
  for (let start = 1; start <= starts; start += 1) {
    const { code, text, answers, violations } = await migrateUnderCalls(previous.folder)
    expect([code, Object.keys(answers)], `start ${start}: ${text} ${JSON.stringify(answers)}`).toEqual([
      0,
      ['200'],
    ])
    expect(violations).toEqual([])
  }
}, 900_000)
