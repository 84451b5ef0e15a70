/** D518: what is read back from a backup is what was written. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyChecksums, writeChecksums } from './checksums.ts'

let folder: string
const recording = 'recordings/2026/11/15/a call.wav'

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ramal-checksums-'))
  await mkdir(join(folder, 'recordings/2026/11/15'), { recursive: true })
  await writeFile(join(folder, recording), 'sound')
  await writeFile(join(folder, 'database.jsonl.gz'), gzipSync('{"balance": 100}\n'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a backup as it was written is accepted; one of an earlier version has no checksums', async () => {
  expect(await verifyChecksums(folder)).toBe(false)
  await writeChecksums(folder)
  expect(await verifyChecksums(folder)).toBe(true)
})

test.each([
  ['database.jsonl.gz', gzipSync('{"balance": 900}\n')],
  [recording, 'sounD'],
])('a changed byte in %s is refused, also in a valid file', async (name, bytes) => {
  await writeChecksums(folder)
  await writeFile(join(folder, name), bytes)
  await expect(verifyChecksums(folder)).rejects.toThrow(
    `The backup is damaged: ${name} has changed since it was made.`,
  )
})

test('a missing file, and checksums that are cut off, are refused', async () => {
  await writeChecksums(folder)
  await rm(join(folder, recording))
  await expect(verifyChecksums(folder)).rejects.toThrow(/incomplete: recordings.* is missing/)
  await writeFile(join(folder, 'SHA256SUMS'), 'ab12')
  await expect(verifyChecksums(folder)).rejects.toThrow(/SHA256SUMS cannot be read/)
})
