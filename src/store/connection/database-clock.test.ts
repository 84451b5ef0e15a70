/** D515: the time of the service is the database's. */
import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/helpers/run/test-clock.ts'
import { createDatabaseClock } from './database-clock.ts'

/** A machine whose clock is ahead of the database's, and the database, for both of which the same time elapses. */
function createMachines(aheadSeconds: number) {
  const database = createTestClock()
  const machine = createTestClock()
  machine.shift(aheadSeconds)
  const clock = createDatabaseClock(machine)
  const pass = (seconds: number) => {
    database.advance(seconds)
    machine.advance(seconds)
  }
  /** The database reads its clock after the first part of the round trip. */
  const read = (there = 0, back = 0) => {
    const finish = clock.startReading()
    pass(there)
    const shown = database.now()
    pass(back)
    finish(shown)
  }
  const errorMs = () => clock.now().getTime() - database.now().getTime()
  return { database, machine, clock, pass, read, errorMs }
}

test.each([300, -300, 5_184_000, -5_184_000])(
  'a machine whose clock is %i s ahead shows the time of the database',
  (ahead) => {
    const { clock, pass, read, errorMs } = createMachines(ahead)
    read()
    pass(5)
    expect(Math.abs(errorMs())).toBeLessThanOrEqual(1)
    expect(Math.round(clock.machineOffsetMs() / 1000)).toBe(ahead)
  },
)

test('setting the clock of the machine between two readings changes nothing but its offset', () => {
  const { machine, clock, pass, read, errorMs } = createMachines(0)
  read()
  for (const jump of [300, -5_184_000, 5_184_000]) {
    machine.shift(jump)
    pass(2)
    expect(Math.abs(errorMs())).toBeLessThanOrEqual(1)
  }
  expect(Math.round(clock.machineOffsetMs() / 1000)).toBe(300)
})

test('an answer of the database that took long does not shift the time, whichever way was slow', () => {
  const { read, errorMs } = createMachines(60)
  read()
  const error = errorMs()
  read(4, 0)
  read(0, 4)
  expect(errorMs()).toBe(error)
})

test('a first reading that took long is narrowed by later ones', () => {
  const { read, errorMs } = createMachines(60)
  read(0, 4)
  expect(errorMs()).toBeLessThanOrEqual(-1_999)
  read(0.001, 0.001)
  expect(Math.abs(errorMs())).toBeLessThanOrEqual(2)
})

test('when the clock of the database is set, the service follows at the next reading', () => {
  const { database, clock, read, errorMs } = createMachines(0)
  read()
  database.shift(-90)
  read()
  expect(Math.abs(errorMs())).toBeLessThanOrEqual(1)
  expect(Math.round(clock.machineOffsetMs() / 1000)).toBe(90)
})
