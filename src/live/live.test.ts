import { afterEach, expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { createLog } from '../kit/process/log.ts'
import type { Caller } from '../users/caller.ts'
import { createLive, type Live, type Watcher } from './live.ts'
import type { LiveReaders } from './readers.ts'

const empty = { calls: [], phones: [], balance: { balance: 0, reserved: 0 } }
let live: Live | undefined
afterEach(() => live?.stop())

/** The snapshots that are being read, each to be finished by its function. */
function createReaders() {
  const reads: (() => void)[] = []
  const snapshot = () => new Promise((resolve) => reads.push(() => resolve(empty)))
  return { reads, readers: { snapshot } as unknown as LiveReaders }
}

function open(readers: LiveReaders): Live {
  const hints = { onHints() {} } as unknown as Parameters<typeof createLive>[0]['hints']
  live = createLive({ hints, readers, log: createLog('silent') })
  return live
}

function watcherOf(accountId: number, userId: number, send: Watcher['send'] = () => {}): Watcher {
  const caller = { accountId, user: { id: userId, role: 'ADMIN', uuid: '' } } as unknown as Caller
  return { caller, send, end() {}, beat() {} }
}

function isRefused(run: () => unknown): boolean {
  try {
    run()
    return false
  } catch (error) {
    return error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE'
  }
}

test('D298: an account gets half of the streams that are free, however many users it has', () => {
  const { watch } = open(createReaders().readers)
  const openAll = (accountId: number) => {
    let opened = 0
    for (let userId = accountId * 1000; !isRefused(() => watch(watcherOf(accountId, userId))); opened++) {
      if (opened % 20 === 19) userId += 1
    }
    return opened
  }
  expect([openAll(1), openAll(2)]).toEqual([1_001, 500])
  expect(isRefused(() => watch(watcherOf(3, 1)))).toBe(false)
})

test('D298: a stream that ended can be opened again', () => {
  const { watch } = open(createReaders().readers)
  const stops = Array.from({ length: 20 }, () => watch(watcherOf(1, 1)))
  expect(isRefused(() => watch(watcherOf(1, 1)))).toBe(true)
  stops[0]?.()
  stops[0]?.()
  expect(isRefused(() => watch(watcherOf(1, 1)))).toBe(false)
  expect(isRefused(() => watch(watcherOf(1, 1)))).toBe(true)
})

test('streams of one account that open at once share the snapshots that are read for them', async () => {
  const { reads, readers } = createReaders()
  const { watch } = open(readers)
  let sent = 0
  for (let userId = 1; userId <= 50; userId++) watch(watcherOf(1, userId, () => sent++))
  // One for the first, which began before the others came, and one for all others.
  expect(reads).toHaveLength(1)
  reads.shift()?.()
  await expect.poll(() => reads.length).toBe(1)
  expect(sent).toBe(1)
  reads.shift()?.()
  await expect.poll(() => sent).toBe(50)
  expect(reads).toHaveLength(0)
})
