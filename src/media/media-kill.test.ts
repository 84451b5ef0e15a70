import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { repairWav } from './sound/wav.ts'
import { createPhone } from './testing/phone.ts'
import { powerShare } from './testing/sound.ts'
import { channelOf } from './testing/wav-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'ramal-kill-'))
afterAll(() => rm(folder, { recursive: true }))

const program = fileURLToPath(new URL('./testing/recording-process.ts', import.meta.url))

test('a process killed while recording leaves a playable file, and repair recovers the rest', async () => {
  const path = join(folder, 'call.wav')
  const child = fork(program, [path, String(45_000 + (process.pid % 500) * 20)], { execArgv: [] })
  const phone = await createPhone()
  try {
    const [ports] = (await once(child, 'message')) as [{ extension: number }]
    child.send({ address: '127.0.0.1', port: phone.port, payloads: [{ number: 8, codec: 'PCMA' }] })
    phone.talk(ports.extension, 440)
    // Two writes: the header of the first is no longer the one the file began with.
    await vi.waitFor(async () => expect((await readFile(path)).readUInt32LE(40)).toBeGreaterThan(64_000), {
      timeout: 15_000,
      interval: 20,
    })
  } finally {
    child.kill('SIGKILL')
    await Promise.all([once(child, 'exit'), phone.hangUp()])
  }
  const left = await readFile(path)
  expect(powerShare(channelOf(left, 0).subarray(8000), 440)).toBeGreaterThan(0.8)
  const repaired = await repairWav(path)
  expect(repaired?.seconds).toBeGreaterThanOrEqual(2)
  expect(channelOf(await readFile(path), 0).length).toBe(Math.round((repaired?.seconds ?? 0) * 8000))
})
