/** Opens the ports there are to be, all of them or none. */

import { openListener, type StreamTransport } from './connections/listeners.ts'
import type { Transport } from './flow.ts'
import { PortError } from './port-error.ts'
import { openUdp, type Udp } from './udp.ts'

export type Ports = { [transport in Transport]?: number | undefined }

export type Opened = { ports: Ports; udp: Udp | undefined; close(): Promise<void> }

type Deps = Parameters<typeof openListener>[2] & Parameters<typeof openUdp>[1]
type Closing = { close(): Promise<void> }

/** A free TCP port is likely free for UDP, but nobody promises. */
const tries = 20

export async function openPorts(wanted: Ports, deps: Deps): Promise<Opened> {
  if ((wanted.tls ?? wanted.wss) !== undefined && !deps.tls) {
    throw new Error('SIP over TLS needs a certificate and its key')
  }
  const ports: Ports = {}
  const all: Closing[] = []
  const close = async () => {
    await Promise.all(all.splice(0).map((one) => one.close()))
  }
  const listen = async (transport: StreamTransport, port: number) => {
    const listener = await openListener(transport, port, deps)
    all.push(listener)
    ports[transport] = listener.port
    return listener
  }

  /** One number for both. */
  async function openTwins(port: number, left: number): Promise<Udp> {
    const tcp = await openListener('tcp', port, deps)
    try {
      const udp = await openUdp(tcp.port, deps)
      all.push(tcp, udp)
      ports.tcp = tcp.port
      return udp
    } catch (error) {
      await tcp.close()
      const another = port === 0 && left > 1 && error instanceof PortError && error.code === 'EADDRINUSE'
      if (!another) throw error
      return await openTwins(port, left - 1)
    }
  }

  async function openDatagrams(port: number): Promise<Udp> {
    if (port === wanted.tcp) return await openTwins(port, tries)
    const udp = await openUdp(port, deps)
    all.push(udp)
    return udp
  }

  try {
    const udp = wanted.udp === undefined ? undefined : await openDatagrams(wanted.udp)
    if (udp) ports.udp = udp.port
    for (const transport of ['tcp', 'tls', 'ws', 'wss'] as const) {
      const port = wanted[transport]
      if (port !== undefined && ports[transport] === undefined) await listen(transport, port)
    }
    return { ports, udp, close }
  } catch (error) {
    await close()
    throw error
  }
}
