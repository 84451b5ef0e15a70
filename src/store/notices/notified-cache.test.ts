import { expect, test } from 'vitest'
import { createNotifiedCache } from './notified-cache.ts'

type Row = { name: string; owner: number }

function openCache({ maxEntries = 10, maxMisses = 10 } = {}) {
  let now = 0
  const state = { connected: true, lose: () => {}, regain: () => {} }
  const cache = createNotifiedCache<Row>({
    notices: {
      connected: () => state.connected,
      onGap: (listener) => {
        state.lose = listener
      },
      onConnected: (listener) => {
        state.regain = listener
      },
    },
    clock: { now: () => new Date(now) },
    lifetimeMs: 1_000,
    maxEntries,
    maxMisses,
    ownerOf: ({ owner }) => owner,
  })
  return {
    ...cache,
    state,
    load: (key: string, row: Row | undefined) => cache.load(key, async () => row),
    isCached: (key: string) => cache.get(key) !== undefined,
    advance: (ms: number) => {
      now += ms
    },
  }
}

const ana = { name: 'Ana', owner: 1 }
const rui = { name: 'Rui', owner: 2 }

test('a value is cached for its lifetime', async () => {
  const { load, get, advance } = openCache()
  expect(get('a')).toBeUndefined()
  expect(await load('a', ana)).toBe(ana)
  expect(get('a')?.value).toBe(ana)
  advance(999)
  expect(get('a')?.value).toBe(ana)
  advance(1)
  expect(get('a')).toBeUndefined()
})

test('the value read longest ago is evicted first', async () => {
  const { load, isCached } = openCache({ maxEntries: 2 })
  await load('a', ana)
  await load('b', rui)
  await load('a', ana)
  await load('c', ana)
  expect(['a', 'b', 'c'].map(isCached)).toEqual([true, false, true])
})

test('that a key has no value is cached too, and evicts no value', async () => {
  const { load, get, isCached } = openCache({ maxEntries: 1, maxMisses: 2 })
  await load('a', ana)
  for (const key of ['x', 'y', 'z']) await load(key, undefined)
  expect(['a', 'x', 'y', 'z'].map(isCached)).toEqual([true, false, true, true])
  expect(get('z')?.value).toBeUndefined()
})

test('a value is dropped by its key, or with all values of its owner', async () => {
  const { load, isCached, invalidate, invalidateOwner } = openCache()
  await load('a', ana)
  await load('a2', ana)
  await load('b', rui)
  invalidate(['b'])
  expect(['a', 'a2', 'b'].map(isCached)).toEqual([true, true, false])
  invalidateOwner(1)
  expect(['a', 'a2'].map(isCached)).toEqual([false, false])
})

test('a value is not cached if something was invalidated while it was read', async () => {
  const { load, isCached, invalidate } = openCache()
  const loading = load('a', ana)
  invalidate(['b'])
  await loading
  expect(isCached('a')).toBe(false)
})

test('when notices may have been missed everything is dropped, and nothing is cached until they are back', async () => {
  const { load, isCached, state } = openCache()
  await load('a', ana)
  state.connected = false
  state.lose()
  expect(isCached('a')).toBe(false)
  await load('a', ana)
  expect(isCached('a')).toBe(false)
  state.connected = true
  await load('a', ana)
  expect(isCached('a')).toBe(true)
})

test('D242: what was cached before notices were lost is known until they arrive again, unless it was dropped', async () => {
  const { load, lastKnown, invalidateOwner, state } = openCache()
  await load('a', ana)
  await load('b', rui)
  state.connected = false
  state.lose()
  // An attempt to connect failed.
  state.lose()
  invalidateOwner(2)
  expect([lastKnown('a'), lastKnown('b'), lastKnown('c')]).toEqual([ana, undefined, undefined])
  state.connected = true
  state.regain()
  expect(lastKnown('a')).toBeUndefined()
})
