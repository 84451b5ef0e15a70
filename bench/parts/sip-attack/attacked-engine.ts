/** Starts the attacked engine, and notices if it ends. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { askChild } from '../ask.ts'
import { likeTheService, startNode, stopChild } from '../children.ts'
import type { AttackedEngineWork } from './engine-process.ts'

const program = fileURLToPath(new URL('./engine-process.ts', import.meta.url))

export async function startAttackedEngine(attack: 'fuzz' | 'flood', carrierPort: number) {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-attack-'))
  const child = startNode({
    args: [...likeTheService.flags, program, folder, String(carrierPort), attack],
    place: 'anywhere',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: likeTheService.env,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      said = `${said}${text}`.slice(-8_000)
    })
  }
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the engine ended:\n${said}`)
  })
  ended.catch(() => {})
  await Promise.race([once(child, 'message'), ended])
  return {
    ask: askChild<AttackedEngineWork>(child),
    /** Rejects when the engine ends. */
    ended,
    said: () => said,
    async stop() {
      await stopChild(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
