/** Simulated SIP endpoints: phones that register and are called, and a carrier with its destinations. */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { askChild } from '../ask.ts'
import { startNode, stopChild } from '../children.ts'
import type { SipEndpointsWork } from './sip-endpoints-process.ts'

const program = fileURLToPath(new URL('./sip-endpoints-process.ts', import.meta.url))

export async function withSipEndpoints<T>(
  media: 'without RTP' | 'with RTP',
  work: (endpoints: SipEndpoints) => Promise<T>,
): Promise<T> {
  const endpoints = await startSipEndpoints(media)
  try {
    return await work(endpoints)
  } finally {
    await endpoints.stop()
  }
}

export async function startSipEndpoints(media: 'without RTP' | 'with RTP') {
  const child = startNode({
    args: [program, media],
    place: 'anywhere',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  const ask = askChild<SipEndpointsWork>(child)
  return { ask, pid: child.pid ?? 0, ports: await ask('ports'), stop: () => stopChild(child) }
}
export type SipEndpoints = Awaited<ReturnType<typeof startSipEndpoints>>

/** TRUNKS of a service whose carrier is that of the endpoints. */
export function trunkTo({ ports }: SipEndpoints): string {
  const trunk = {
    name: 'bench',
    address: `sip:127.0.0.1:${ports.carrier}`,
    qualifySeconds: 0,
    channels: 1_000,
    callsPerSecond: 1_000,
  }
  return JSON.stringify([trunk])
}
