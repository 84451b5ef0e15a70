import { expect, test } from 'vitest'
import { type Job, startJobs } from './jobs.ts'

const hour = 3_600_000
const fail = (error: unknown) => {
  throw error
}

test('a job that is run by its name answers with the result of its tick', async () => {
  const mail: Job = { name: 'mail', everyMs: hour, tick: async (isStopping) => [3, isStopping()] }
  const jobs = startJobs([mail], fail)
  expect(await jobs.run('mail')).toEqual([3, false])
  await jobs.stop()
  // A job that is run by name after the loops have stopped runs to its end.
  expect(await jobs.run('mail')).toEqual([3, false])
})

test('a name that no job has is refused, with the names there are', async () => {
  const jobs = startJobs(
    ['mail', 'payments'].map((name) => ({ name, everyMs: hour, tick: async () => {} })),
    fail,
  )
  await expect(jobs.run('mails')).rejects.toThrow('no job "mails" in this process; it has: mail, payments')
  await jobs.stop()
})
