import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFolderStore, moveByCopy } from './folder.ts'
import type { RecordingStore } from './port.ts'

const name = '2026/11/15/call.wav'
let home: string
let store: RecordingStore

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ramal-recordings-'))
  store = createFolderStore(join(home, 'kept'))
})
afterEach(() => rm(home, { recursive: true }))

async function spool(text = 'sound'): Promise<string> {
  const path = join(home, 'spooled.wav')
  await writeFile(path, text, { mode: 0o600 })
  return path
}

test('what is put is kept, gone from the spool, and for its owner only', async () => {
  const path = await spool()
  await store.put(name, path)
  await expect(stat(path)).rejects.toThrow(/ENOENT/)
  const kept = join(home, 'kept', name)
  expect(await readFile(kept, 'utf8')).toBe('sound')
  expect((await stat(kept)).mode & 0o777).toBe(0o600)
  expect((await stat(join(home, 'kept/2026'))).mode & 0o777).toBe(0o700)
})

test('putting again what was put changes nothing; what is nowhere is an error', async () => {
  const path = await spool()
  await store.put(name, path)
  await store.put(name, path)
  await expect(store.put('2026/11/15/other.wav', path)).rejects.toThrow(/ENOENT/)
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

test.each(['../call.wav', '/etc/passwd', '2026/../../call.wav', 'call', '', 'a\0.wav', '2026//call.wav'])(
  '%j is no name of a recording',
  async (wrong) => {
    await expect(store.put(wrong, await spool())).rejects.toThrow(/not the name/)
    await expect(store.open(wrong)).rejects.toThrow(/not the name/)
    await expect(store.remove(wrong)).rejects.toThrow(/not the name/)
  },
)

test('to another disk it goes by a copy, of which nothing is left when it fails', async () => {
  const path = await spool()
  await moveByCopy(path, join(home, 'copied.wav'))
  expect(await readFile(join(home, 'copied.wav'), 'utf8')).toBe('sound')
  await expect(moveByCopy(path, join(home, 'again.wav'))).rejects.toThrow(/ENOENT/)
  expect(await readdir(home)).toEqual(['copied.wav'])
})
