/** Killed at every step between a call and its recorded delivery: nothing is lost, nothing is told out of order. */
import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { runCrashMatrix } from '../../bench/parts/crash/matrix.ts'
import { createTestDatabase } from '../helpers/test-database.ts'

test('however often everything is killed, each call ends once and each webhook is told all of it, in order', async () => {
  const database = await createTestDatabase()
  const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31))
  try {
    const { contradictions, accepted, missed, ...rest } = await runCrashMatrix({
      databaseUrl: database.url,
      calls: 500,
      rounds: 2,
      turns: 1,
      seed,
    })
    const story = `CRASH_SEED=${seed} ${JSON.stringify(rest)}`
    expect(contradictions, story).toEqual([])
    expect(missed, `steps at which nobody was killed; ${story}`).toEqual([])
    expect(accepted, story).toBeGreaterThanOrEqual(500)
  } finally {
    await database.drop()
  }
}, 300_000)
