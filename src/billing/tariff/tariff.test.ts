/** Rates in memory, and when they are read again. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../test/helpers/run/test-clock.ts'
import { createTestDatabase } from '../../../test/helpers/run/test-database.ts'
import { type Database, openDatabase, openPool } from '../../store/database.ts'
import { createTariff } from './tariff.ts'

let scratch: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
beforeEach(async () => {
  scratch = await createTestDatabase()
  db = openDatabase(openPool({ connectionString: scratch.url }, { size: 1, onError: () => {} }))
})
afterEach(async () => {
  await db.destroy()
  await scratch.drop()
})

function openTariff() {
  const listeners = { changed: () => {}, gap: () => {} }
  const state = { isConnected: true }
  const errors: unknown[] = []
  const tariff = createTariff({
    db,
    clock: createTestClock(),
    notices: {
      listen: (_channel, listener) => {
        listeners.changed = () => listener('')
      },
      onGap: (listener) => {
        listeners.gap = listener
      },
      connected: () => state.isConnected,
    },
    onError: (error) => errors.push(error),
  })
  const price = () => tariff.rateOf(0, '554833334444')?.minutePrice
  return { tariff, listeners, state, errors, price }
}

const changePrices = (minutePrice: number) =>
  db.updateTable('rates').set({ minute_price: minutePrice }).execute()

test('rates are read once, and again when a notice says that they changed', async () => {
  const { tariff, listeners, price } = openTariff()
  expect(price()).toBeUndefined()
  await tariff.load()
  await changePrices(777)
  await tariff.load()
  await tariff.tick()
  expect(price()).not.toBe(777)
  listeners.changed()
  await expect.poll(price).toBe(777)
})

test('a change during a reading is read after it', async () => {
  const { tariff, listeners, price } = openTariff()
  const first = tariff.load()
  // One connection: it runs between the two readings.
  const change = changePrices(778)
  listeners.changed()
  await Promise.all([first, change])
  expect(price()).toBe(778)
})

test('rates are read again by the next tick if notices were, or may have been, missed', async () => {
  const { tariff, listeners, state, price } = openTariff()
  await tariff.load()
  await changePrices(779)
  listeners.gap()
  await tariff.tick()
  expect(price()).toBe(779)
  await changePrices(780)
  state.isConnected = false
  await tariff.tick()
  expect(price()).toBe(780)
})

test('rates that could not be read are kept as they are, and read by a later tick', async () => {
  const { tariff, listeners, errors, price } = openTariff()
  await tariff.load()
  await changePrices(781)
  const before = price()
  await db.schema.alterTable('rates').renameTo('away').execute()
  listeners.changed()
  await expect.poll(() => errors.length).toBe(1)
  await expect(tariff.tick()).rejects.toThrow()
  expect(price()).toBe(before)
  await db.schema.alterTable('away').renameTo('rates').execute()
  await tariff.tick()
  expect(price()).toBe(781)
})
