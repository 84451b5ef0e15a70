/** D520: a start beside a database that is busy for a moment. */
import { expect, test } from 'vitest'
import { untilUp } from './until-up.ts'

const limits = { patienceMs: 60_000, pauseMs: 1 }

test('a connection that could not be made in time is tried again', async () => {
  let tries = 0
  const work = async () => {
    tries += 1
    if (tries < 4) throw new Error('timeout exceeded when trying to connect')
    return 'renewed'
  }
  expect(await untilUp(work, limits)).toBe('renewed')
  expect(tries).toBe(4)
})

test('a mistake is not tried again, and a database that stays away ends the start', async () => {
  let tries = 0
  const mistake = async () => {
    tries += 1
    throw new TypeError('x is not a function')
  }
  await expect(untilUp(mistake, limits)).rejects.toThrow(/not a function/)
  expect(tries).toBe(1)
  const away = () => Promise.reject(new Error('timeout exceeded when trying to connect'))
  await expect(untilUp(away, { patienceMs: 5, pauseMs: 1 })).rejects.toThrow(/timeout exceeded/)
})
