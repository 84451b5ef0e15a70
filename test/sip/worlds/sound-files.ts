/** Sound files of the operator. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestScope } from '../engine/engine-setup.ts'
import { writeToneWav } from '../peers/tones.ts'

/** A second of a tone, in a folder of its own. */
export async function writeSound(t: TestScope, name: string, hertz: number) {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-sounds-'))
  t.onTestFinished(() => rm(folder, { recursive: true }))
  await writeToneWav(join(folder, name), hertz, 1)
  return { folder, path: join(folder, name) }
}
