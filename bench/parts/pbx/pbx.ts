/** A PBX to measure, our engine or Asterisk, connected to simulated SIP endpoints. */

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { defined } from '../../../src/kit/defined.ts'
import { askChild } from '../ask.ts'
import { likeTheService, startNode, stopChild } from '../children.ts'
import { inFolder } from '../service.ts'
import type { SipEndpoints } from '../sip-endpoints/sip-endpoints.ts'
import type { AsteriskWork } from './asterisk-process.ts'
import type { EngineWork } from './engine-process.ts'
import { benchDomain, benchPassword, firstPhone, phones } from './extensions.ts'

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const script = pathOf('../../../tools/asterisk.sh')

type Options = { endpoints: SipEndpoints; records: boolean }

export function withEngine<T>(
  { endpoints, records }: Options,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  return inFolder(async (folder) => {
    const child = await start('./engine-process.ts', [folder, ...argumentsOf(endpoints, records)])
    const ask = askChild<EngineWork>(child)
    try {
      const port = await ask('port')
      const register = (count: number, first = firstPhone, seconds?: number) =>
        endpoints.ask('register', {
          port,
          domain: benchDomain,
          password: benchPassword,
          first,
          count,
          concurrency: 64,
          ...defined({ seconds }),
        })
      await register(phones)
      return await work({ ask, pid: child.pid ?? 0, register })
    } finally {
      await stopChild(child)
    }
  })
}
export type Engine = {
  ask: ReturnType<typeof askChild<EngineWork>>
  pid: number
  register(count: number, first?: number, seconds?: number): Promise<{ done: number; seconds: number }>
}

export function hasAsterisk(): boolean {
  const here = spawnSync(script, ['ready']).status === 0
  if (!here) process.stderr.write('no Asterisk to compare with ("tools/asterisk.sh setup" fetches it) … ')
  return here
}

export async function withAsterisk<T>(
  { endpoints, records }: Options,
  work: (asterisk: { ask: ReturnType<typeof askChild<AsteriskWork>>; pid: number }) => Promise<T>,
): Promise<T> {
  const child = await start('./asterisk-process.ts', ['', ...argumentsOf(endpoints, records)])
  const ask = askChild<AsteriskWork>(child)
  try {
    return await work({ ask, pid: await ask('pid') })
  } finally {
    // Asterisk is a child of the process started here, which must stop it.
    await ask('stop').catch(() => {})
    await stopChild(child)
  }
}

function argumentsOf({ ports }: SipEndpoints, records: boolean): string[] {
  return [`${ports.carrier}`, records ? 'recording' : 'not recording', `${ports.phones}`]
}

async function start(program: string, args: string[]) {
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
  const child = startNode({
    args: [...likeTheService.flags, pathOf(program), ...args],
    env: likeTheService.env,
    place: 'anywhere',
    stdio: [...stdio],
  })
  const exited = once(child, 'exit').then(() => {
    throw new Error(`${program} ended while starting`)
  })
  await Promise.race([once(child, 'message'), exited])
  exited.catch(() => {})
  return child
}
