import { expect, test } from 'vitest'
import { startLoop } from './loop.ts'

const never = 3_600_000

test('waking runs a tick at once, and again when woken during it', async () => {
  const { promise: firstTick, resolve: finishFirst } = Promise.withResolvers<void>()
  const { promise: secondTick, resolve: secondRan } = Promise.withResolvers<void>()
  let ticks = 0
  const loop = startLoop({
    name: 'mail',
    everyMs: never,
    tick: async () => {
      ticks += 1
      if (ticks === 1) await firstTick
      else secondRan()
    },
    onError: () => {},
  })
  loop.wake()
  loop.wake()
  expect(ticks).toBe(1)
  finishFirst()
  await secondTick
  await loop.stop()
  expect(ticks).toBe(2)
})

test('a tick that fails is reported with the name of the job, and the loop goes on', async () => {
  const errors: unknown[] = []
  const { promise: recovered, resolve } = Promise.withResolvers<void>()
  let ticks = 0
  const loop = startLoop({
    name: 'mail',
    everyMs: 1,
    tick: async () => {
      ticks += 1
      if (ticks === 1) throw new Error('database gone')
      resolve()
    },
    onError: (error, name) => errors.push([name, error]),
  })
  await recovered
  await loop.stop()
  expect(errors).toEqual([['mail', new Error('database gone')]])
})

test('stopping waits for the running tick', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let finished = false
  const loop = startLoop({
    name: 'mail',
    everyMs: never,
    tick: async () => {
      await promise
      finished = true
    },
    onError: () => {},
  })
  loop.wake()
  const stopping = loop.stop()
  resolve()
  await stopping
  expect(finished).toBe(true)
})

test('idle waits for the running tick, and the loop goes on', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let ticks = 0
  const loop = startLoop({
    name: 'mail',
    everyMs: never,
    tick: async () => {
      if (ticks === 0) await promise
      ticks += 1
    },
    onError: () => {},
  })
  await loop.idle()
  loop.wake()
  const idle = loop.idle().then(() => ticks)
  resolve()
  expect(await idle).toBe(1)
  loop.wake()
  await loop.idle()
  expect(ticks).toBe(2)
  await loop.stop()
})
