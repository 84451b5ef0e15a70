/** D275: recordings stored as G.711. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pcma } from '../../media/codecs/pcma.ts'
import { wavHeader } from '../../media/sound/wav.ts'
import { createCompactStore } from './compact.ts'
import { createFolderStore } from './folder.ts'
import type { ByteRange, RecordingStore } from './port.ts'

const name = '2026/11/15/call.wav'
const frames = 1000
let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ramal-compact-'))
})
afterEach(() => rm(home, { recursive: true }))

const storeThat = (compacts: boolean) => createCompactStore(createFolderStore(home), compacts)

/** Sound of a G.711 call: every sample is one that A-law has. */
const sound = Buffer.concat([
  wavHeader(frames),
  Buffer.from(
    Int16Array.from({ length: 2 * frames }, (_, at) => pcma.audio.tables.decode[(at * 7) % 256] ?? 0).buffer,
  ),
])

/** In chunks that end within frames, the first within the header. */
const source = {
  open: async () =>
    Readable.from(
      Array.from({ length: Math.ceil(sound.length / 35) }, (_, index) =>
        sound.subarray(index * 35, (index + 1) * 35),
      ),
    ),
}

async function read(store: RecordingStore, range?: ByteRange): Promise<Buffer | undefined> {
  const found = await store.open(name)
  return found && (await buffer(found.read(range)))
}

test('the file is a WAV of A-law with half the bytes, and is read as it was put', async () => {
  const store = storeThat(true)
  await store.put(name, source)
  const file = await readFile(join(home, '2026/11/15/call-alaw.wav'))
  expect(file.length).toBe(58 + 2 * frames)
  expect([file.toString('latin1', 0, 4), file.readUInt16LE(20), file.readUInt16LE(34)]).toEqual([
    'RIFF',
    6,
    8,
  ])
  expect(file.readUInt32LE(4)).toBe(file.length - 8)
  expect((await store.open(name).then(async (one) => [one?.bytes, await one?.close()]))[0]).toBe(sound.length)
  expect(await read(store)).toEqual(sound)
})

test('any range of it is that part of the whole', async () => {
  const store = storeThat(true)
  await store.put(name, source)
  for (const range of [
    { from: 0, to: 43 },
    { from: 40, to: 47 },
    { from: 45, to: 45 },
    { from: 1001, to: 2002 },
    { from: sound.length - 3, to: sound.length - 1 },
  ]) {
    expect(await read(store, range)).toEqual(sound.subarray(range.from, range.to + 1))
  }
})

test.each([true, false])(
  'recordings of both kinds are read and removed while compacting is %s',
  async (now) => {
    for (const before of [true, false]) {
      await storeThat(before).put(name, source)
      expect(await read(storeThat(now))).toEqual(sound)
      await storeThat(now).remove(name)
      expect(await read(storeThat(before))).toBeUndefined()
    }
  },
)
