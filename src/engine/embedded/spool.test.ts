import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../kit/clock.ts'
import { wavHeader } from '../../media/sound/wav.ts'
import type { AbandonedRecording } from '../port.ts'
import { createSpool, type Spool } from './spool.ts'

const callId = '019a0000-0000-7000-8000-000000000001'
const frames = 8000
const sound = Buffer.alloc(frames * 4, 7)
let folder: string
let spool: Spool

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ramal-spool-'))
  spool = createSpool({ folder, clock: systemClock })
})
afterEach(() => rm(folder, { recursive: true }))

async function leave(file: Buffer, { name = `${callId}.wav`, secondsAgo = 60 } = {}) {
  const path = join(folder, name)
  await writeFile(path, file)
  const at = Date.now() / 1000 - secondsAgo
  await utimes(path, at, at)
}

async function list(isLive: (id: string) => boolean = () => false): Promise<AbandonedRecording[]> {
  const found: AbandonedRecording[] = []
  for await (const one of spool.abandoned(isLive)) found.push(one)
  return found
}

test('a recording of a killed process is listed with its length, and repaired when it is read', async () => {
  // The header lags behind, and the last frame is incomplete.
  await leave(Buffer.concat([wavHeader(10), sound, Buffer.alloc(2)]))
  const [one] = await list()
  expect(one).toMatchObject({ callId, recording: { seconds: 1, bytes: 44 + frames * 4 } })
  const read = one && (await buffer(await one.recording.open()))
  expect(read).toEqual(Buffer.concat([wavHeader(frames), sound]))
})

test('recordings of live calls, files just written and files of others are not listed', async () => {
  await leave(sound, { name: 'notes.wav' })
  await leave(Buffer.concat([wavHeader(frames), sound]), { secondsAgo: 3 })
  expect(await list()).toEqual([])
  await leave(Buffer.concat([wavHeader(frames), sound]))
  expect(await list((id) => id === callId)).toEqual([])
})

test('a file that is no recording has no sound, and can be discarded', async () => {
  await leave(Buffer.from('no WAV at all, but long enough to have had a header'))
  const [one] = await list()
  expect(one?.recording.seconds).toBe(0)
  await one?.recording.discard()
  await one?.recording.discard()
  expect(await readdir(folder)).toEqual([])
})

test('D229: a file whose header is garbled can be set aside, whole, and is not listed again', async () => {
  const garbled = Buffer.concat([Buffer.alloc(44, 7), sound])
  await leave(garbled)
  const [one] = await list()
  expect(await readFile((await one?.setAside?.()) ?? '')).toEqual(garbled)
  expect([await readdir(folder), await list()]).toEqual([['unreadable'], []])
  await leave(Buffer.concat([wavHeader(frames), sound]))
  expect((await list())[0]?.setAside).toBeUndefined()
})

test('a recording can be moved on the same disk, which empties the spool', async () => {
  const whole = Buffer.concat([wavHeader(frames), sound])
  await leave(whole)
  const [one] = await list()
  expect(await one?.recording.moveTo?.(join(folder, 'stored'))).toBe(true)
  expect(await readFile(join(folder, 'stored'))).toEqual(whole)
  expect(await list()).toEqual([])
})
