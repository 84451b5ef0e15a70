import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

test('so many run at once, the others in their order, also after failures', async () => {
  const semaphore = createSemaphore(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const results = [0, 1, 2, 3].map((number) =>
    semaphore.run(async () => {
      begun.push(number)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (number === 0) throw new Error('failed')
      return number
    }),
  )
  const settled = Promise.allSettled(results)
  await expect.poll(() => begun).toEqual([0, 1])
  ends[0]?.()
  await expect.poll(() => begun).toEqual([0, 1, 2])
  ends[1]?.()
  ends[2]?.()
  await expect.poll(() => begun).toEqual([0, 1, 2, 3])
  ends[3]?.()
  expect((await settled).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
})
