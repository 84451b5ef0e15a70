/** Processes killed at every step between a call and its recorded delivery: no event is lost or delivered out of order. */
import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { runCrashMatrix } from '../../../bench/parts/crash/matrix.ts'
import { createTestDatabase } from '../../helpers/run/test-database.ts'

test('however often everything is killed, each call ends once and each webhook receives all of its events, in order', async () => {
  const database = await createTestDatabase()
  const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31))
  try {
    const { violations, accepted, missed, ...rest } = await runCrashMatrix({
      databaseUrl: database.url,
      calls: 150,
      rounds: 1,
      turns: 1,
      seed,
    })
    const story = `CRASH_SEED=${seed} ${JSON.stringify(rest)}`
    expect(violations, story).toEqual([])
    expect(missed, `steps at which nothing was killed; ${story}`).toEqual([])
    expect(accepted, story).toBeGreaterThanOrEqual(150)
  } finally {
    await database.drop()
  }
}, 900_000)
