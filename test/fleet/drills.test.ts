/** A voice node cut off from the database, one stopped, and Redis stopped, with clocks that differ by two minutes. */
import { expect, test } from 'vitest'
import { runDrills } from '../../bench/parts/drills/drills.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { createTestDatabase } from '../helpers/run/test-database.ts'
import { networkRefused } from './network.ts'

const missing = programMissing('ip') || programMissing('redis-server')
const refused = missing ? 'programs are missing' : networkRefused()

test('every call ends and is reported once, no event is lost, the books add up, and every phone is served again', async (t) => {
  t.skip(refused !== undefined, refused)
  const database = await createTestDatabase()
  try {
    // Longer than a lease: others end the calls of the stopped node.
    const { violations, calls } = await runDrills({ databaseUrl: database.url, seconds: 24, together: true })
    expect(violations).toEqual([])
    expect(calls).toBeGreaterThan(10)
  } finally {
    await database.drop()
  }
}, 400_000)
