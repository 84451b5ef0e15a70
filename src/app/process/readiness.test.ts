import { expect, test } from 'vitest'
import { createTestTimers } from '../../kit/testing/test-timers.ts'
import { createReadiness } from './readiness.ts'

const never = () => new Promise<never>(() => {})

test('a database that does not answer a write within two seconds is not ready; requests share the write', async () => {
  const timers = createTestTimers()
  let writes = 0
  const readiness = createReadiness({
    timers,
    write: () => {
      writes += 1
      return never()
    },
    problems: () => ['no ports'],
  })
  const both = Promise.all([readiness.notReady(), readiness.notReady()])
  timers.advance(2_000)
  expect(await both).toEqual([
    ['database', 'no ports'],
    ['database', 'no ports'],
  ])
  expect(writes).toBe(1)
})

test('D222: draining is reported at once; the stop waits only if somebody asked in the last minute', async () => {
  const timers = createTestTimers()
  const readiness = createReadiness({ timers, write: async () => {}, problems: () => [] })
  await readiness.leave(5)
  expect(await readiness.notReady()).toEqual([])
  readiness.setDraining(true)
  expect(await readiness.notReady()).toEqual(['draining'])
  let left = false
  const leaving = readiness.leave(5).then(() => {
    left = true
  })
  timers.advance(4_999)
  await Promise.resolve()
  expect(left).toBe(false)
  timers.advance(1)
  await leaving
  timers.advance(60_001)
  await readiness.leave(5)
})
