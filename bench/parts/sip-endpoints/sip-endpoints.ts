/** Everybody at the other ends: phones that register and are called, and whom a carrier reaches. */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { askChild } from '../ask.ts'
import { startNode, stopChild } from '../children.ts'
import type { CrowdWork } from './sip-endpoints-process.ts'

const program = fileURLToPath(new URL('./sip-endpoints-process.ts', import.meta.url))

export async function withCrowd<T>(
  manner: 'silent' | 'speaking',
  work: (crowd: Crowd) => Promise<T>,
): Promise<T> {
  const crowd = await startCrowd(manner)
  try {
    return await work(crowd)
  } finally {
    await crowd.stop()
  }
}

async function startCrowd(manner: 'silent' | 'speaking') {
  const child = startNode({
    args: [program, manner],
    place: 'anywhere',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  const ask = askChild<CrowdWork>(child)
  return { ask, pid: child.pid ?? 0, ports: await ask('ports'), stop: () => stopChild(child) }
}
export type Crowd = Awaited<ReturnType<typeof startCrowd>>
