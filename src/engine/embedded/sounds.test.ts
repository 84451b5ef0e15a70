import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { wavHeader } from '../../media/sound/wav.ts'
import { loadSounds } from './sounds.ts'

async function folderWith(files: Record<string, number>) {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-sounds-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, seconds] of Object.entries(files)) {
    const frames = seconds * 8000
    await writeFile(join(folder, name), Buffer.concat([wavHeader(frames, 1), Buffer.alloc(frames * 2, 7)]))
  }
  return folder
}

const lengths = (sounds: Record<string, Int16Array>) =>
  Object.fromEntries(Object.entries(sounds).map(([name, samples]) => [name, samples.length]))

test('music on hold is our own, or the file of the operator, in memory that threads share (D269)', async () => {
  const { sounds: own } = await loadSounds({ holdMusic: undefined, announcements: undefined })
  const music = own['hold music'] ?? new Int16Array()
  expect(music.length / 8000).toBe(9.6)
  expect(Math.max(...music)).toBeGreaterThan(2_000)
  expect(Math.max(...music.map(Math.abs))).toBeLessThan(12_000)
  const holdMusic = join(await folderWith({ 'waltz.wav': 2 }), 'waltz.wav')
  const { sounds } = await loadSounds({ holdMusic, announcements: undefined })
  expect(lengths(sounds)).toEqual({ 'hold music': 16_000 })
  expect(sounds['hold music']?.buffer).toBeInstanceOf(SharedArrayBuffer)
})

test('announcements are named like causes (D270)', async () => {
  const folder = await folderWith({ 'USER_BUSY.wav': 2, 'default.wav': 3, 'notes.txt': 0 })
  const { sounds, announcements } = await loadSounds({ holdMusic: undefined, announcements: folder })
  expect(lengths(sounds)).toMatchObject({ 'announcement USER_BUSY': 16_000, 'announcement default': 24_000 })
  expect([...announcements]).toEqual(expect.arrayContaining([['USER_BUSY', 2_000]]))
})

test.each([
  [{ 'BUSY.wav': 1 }, 'is not named like a cause'],
  [{ 'USER_BUSY.wav': 61 }, 'is longer than 60 seconds'],
  [{ 'USER_BUSY.wav': 0 }, 'has no sound in it'],
])('files that cannot be used are refused with their path: %j', async (files, words) => {
  const folder = await folderWith(files)
  const refused = loadSounds({ holdMusic: undefined, announcements: folder })
  await expect(refused).rejects.toThrow(words)
  await expect(refused).rejects.toThrow(folder)
})

test('a file or folder that is not there is refused', async () => {
  const missing = join(await folderWith({}), 'missing')
  await expect(loadSounds({ holdMusic: missing, announcements: undefined })).rejects.toThrow('cannot be read')
  await expect(loadSounds({ holdMusic: undefined, announcements: missing })).rejects.toThrow('cannot be read')
})
