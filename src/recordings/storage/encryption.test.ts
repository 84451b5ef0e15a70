/** D210: encrypted recordings in a folder. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRecordingCipher } from './encryption.ts'
import { createFolderStore } from './folder.ts'
import type { ByteRange, RecordingStore } from './port.ts'

const name = '2026/11/15/call.wav'
const chunk = 64 * 1024
const key = randomBytes(32)
const sound = randomBytes(3 * chunk + 1000)
let home: string
let store: RecordingStore

const storeWith = (ourKey: Buffer, encrypts = true) =>
  createFolderStore(join(home, 'kept'), { cipher: createRecordingCipher(ourKey), encrypts })
const pathOf = (one = name) => join(home, 'kept', one)

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ramal-recordings-'))
  store = storeWith(key)
})
afterEach(() => rm(home, { recursive: true }))

/** In pieces of an odd size. */
const sourceOf = (bytes: Buffer) => ({
  open: async () =>
    Readable.from(
      Array.from({ length: Math.ceil(bytes.length / 7_001) }, (_, index) =>
        bytes.subarray(index * 7_001, (index + 1) * 7_001),
      ),
    ),
  moveTo: () => Promise.reject(new Error('moved as it is')),
})

async function read(range?: ByteRange, from = store): Promise<Buffer> {
  const found = await from.open(name)
  if (!found) throw new Error('not found')
  return await buffer(found.read(range))
}

test('the file has none of the sound, is for its owner only, and is read as it was put', async () => {
  await store.put(name, sourceOf(sound))
  const file = await readFile(pathOf())
  for (let at = 0; at + 32 <= sound.length; at += 1_000) {
    expect(file.includes(sound.subarray(at, at + 32)), `at ${at}`).toBe(false)
  }
  expect((await stat(pathOf())).mode & 0o777).toBe(0o600)
  expect((await store.open(name).then(async (one) => [one?.bytes, await one?.close()]))?.[0]).toBe(
    sound.length,
  )
  expect((await read()).equals(sound)).toBe(true)
})

test.each([0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk])('%i bytes', async (bytes) => {
  await store.put(name, sourceOf(sound.subarray(0, bytes)))
  expect((await read()).equals(sound.subarray(0, bytes))).toBe(true)
})

test.each([
  [0, 0],
  [0, 99],
  [chunk - 1, chunk],
  [chunk, 2 * chunk - 1],
  [10, 3 * chunk + 500],
  [3 * chunk + 999, 3 * chunk + 999],
])('bytes %i to %i', async (from, to) => {
  await store.put(name, sourceOf(sound))
  expect((await read({ from, to })).equals(sound.subarray(from, to + 1))).toBe(true)
})

test('plain files from before stay readable, and encrypted ones after it is turned off', async () => {
  const plain = createFolderStore(join(home, 'kept'))
  await plain.put(name, { open: sourceOf(sound).open })
  expect((await read()).equals(sound)).toBe(true)
  await store.remove(name)
  await store.put(name, sourceOf(sound))
  expect((await read(undefined, storeWith(key, false))).equals(sound)).toBe(true)
})

test('another key, and a changed, shortened or exchanged file, are clear errors', async () => {
  await store.put(name, sourceOf(sound))
  await expect(storeWith(randomBytes(32)).open(name)).rejects.toThrow(
    /2026\/11\/15\/call\.wav was encrypted with another key \(\w{16}\) than this database has/,
  )
  const file = await readFile(pathOf())
  const changed = Buffer.from(file)
  changed[chunk + 100] = (changed[chunk + 100] ?? 0) ^ 1
  await writeFile(pathOf(), changed)
  expect((await read({ from: 0, to: 9 })).equals(sound.subarray(0, 10))).toBe(true)
  await expect(read()).rejects.toThrow(/was changed/)
  await writeFile(pathOf(), file.subarray(0, 32 + 2 * (chunk + 16)))
  await expect(read()).rejects.toThrow(/was changed/)
  await writeFile(pathOf(), file)
  await store.put('2026/11/15/other.wav', sourceOf(sound))
  await rename(pathOf('2026/11/15/other.wav'), pathOf())
  await expect(read()).rejects.toThrow(/not of this name/)
})

test('a process killed while it writes leaves no recording, and what it left is removed later', async () => {
  const drafts = join(home, 'kept/drafts')
  await mkdir(drafts, { recursive: true })
  await writeFile(join(drafts, 'old'), 'half')
  await writeFile(join(drafts, 'new'), 'half')
  await utimes(join(drafts, 'old'), 1_000, 1_000)
  expect(await store.open(name)).toBeUndefined()
  await store.put(name, sourceOf(sound))
  expect(await readdir(drafts)).toEqual(['new'])
})

test('the file is closed when the stream ends, and when its reader goes', async () => {
  await store.put(name, sourceOf(sound))
  const unread = (await store.open(name))?.read()
  unread?.destroy()
  await expect.poll(() => unread?.closed).toBe(true)
})
