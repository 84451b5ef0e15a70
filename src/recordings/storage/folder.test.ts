import { mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFolderStore } from './folder.ts'
import type { RecordingSource, RecordingStore } from './port.ts'

const name = '2026/11/15/call.wav'
let home: string
let store: RecordingStore

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ramal-recordings-'))
  store = createFolderStore(join(home, 'kept'))
})
afterEach(() => rm(home, { recursive: true }))

/** A file that can be read, and moved if `movable`. */
async function spool(text = 'sound', movable = false): Promise<RecordingSource> {
  const path = join(home, 'spooled.wav')
  await writeFile(path, text, { mode: 0o600 })
  return {
    open: async () => (await open(path)).createReadStream(),
    async moveTo(target) {
      if (movable) await rename(path, target)
      return movable
    },
  }
}

test.each([
  ['by a rename', true, []],
  ['by its stream', false, ['spooled.wav']],
])('what is put %s is stored, for its owner only', async (_how, movable, left) => {
  await store.put(name, await spool('sound', movable))
  const kept = join(home, 'kept', name)
  expect(await readFile(kept, 'utf8')).toBe('sound')
  expect((await stat(kept)).mode & 0o777).toBe(0o600)
  expect((await stat(join(home, 'kept/2026'))).mode & 0o777).toBe(0o700)
  expect((await readdir(home)).filter((file) => file !== 'kept')).toEqual(left)
})

test('putting again what was put changes nothing; a source that is gone is an error', async () => {
  const source = await spool('sound', true)
  await store.put(name, source)
  await store.put(name, source)
  await expect(store.put('2026/11/15/other.wav', source)).rejects.toThrow(/ENOENT/)
})

test('nothing is left of a stream that breaks', async () => {
  const broken = async function* () {
    yield Buffer.from('sou')
    throw new Error('connection lost')
  }
  await expect(store.put(name, { open: async () => Readable.from(broken()) })).rejects.toThrow(
    'connection lost',
  )
  expect(await store.open(name)).toBeUndefined()
  expect(await readdir(join(home, 'kept/2026/11/15'))).toEqual([])
})

test('is read whole or in part', async () => {
  await store.put(name, await spool('0123456789'))
  const whole = await store.open(name)
  expect(whole?.bytes).toBe(10)
  expect(whole && (await buffer(whole.read())).toString()).toBe('0123456789')
  const part = await store.open(name)
  expect(part && (await buffer(part.read({ from: 2, to: 4 }))).toString()).toBe('234')
  await (await store.open(name))?.close()
})

test('what is removed is gone with its empty folder; removing again is fine', async () => {
  await store.put(name, await spool())
  await store.remove(name)
  await store.remove(name)
  expect(await store.open(name)).toBeUndefined()
  expect(await readdir(join(home, 'kept/2026/11'))).toEqual([])
})

test('D230: recordings of days before a day are removed; nothing else is', async () => {
  for (const day of ['2026/08/16', '2026/08/17']) await store.put(`${day}/call.wav`, await spool())
  await writeFile(join(home, 'kept/2026/08/16/notes.txt'), 'mine')
  await store.removeBefore(new Date('2026-08-17T12:00:00Z'))
  expect(await store.open('2026/08/16/call.wav')).toBeUndefined()
  expect(await readdir(join(home, 'kept/2026/08/16'))).toEqual(['notes.txt'])
  expect(await readdir(join(home, 'kept/2026/08/17'))).toEqual(['call.wav'])
})

test.each(['../call.wav', '/etc/passwd', '2026/../../call.wav', 'call', '', 'a\0.wav', '2026//call.wav'])(
  '%j is no name of a recording',
  async (wrong) => {
    await expect(store.put(wrong, await spool())).rejects.toThrow(/not the name/)
    await expect(store.open(wrong)).rejects.toThrow(/not the name/)
    await expect(store.remove(wrong)).rejects.toThrow(/not the name/)
  },
)
