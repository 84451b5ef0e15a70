/** Opens opened configured ports, or none. */

import { openListener, type StreamTransport, type TlsCredentials } from './connections/listeners.ts'
import type { Transport } from './flow.ts'
import { PortError } from './port-error.ts'
import { openUdp, type Udp } from './udp.ts'

export type Ports = { [transport in Transport]?: number | undefined }

export type Opened = {
  ports: Ports
  udp: Udp | undefined
  /** A new certificate for connections from now on. */
  renewTls(tls: TlsCredentials): void
  close(): Promise<void>
}

type Deps = Parameters<typeof openListener>[2] & Parameters<typeof openUdp>[1]
type Closing = { close(): Promise<void> }

/** A port that is free for TCP is usually free for UDP too; if not, another one is tried. */
const maxTries = 20

export async function openPorts(wanted: Ports, deps: Deps): Promise<Opened> {
  if ((wanted.tls ?? wanted.wss) !== undefined && !deps.tls) {
    throw new Error('SIP over TLS needs a certificate and its key')
  }
  const ports: Ports = {}
  const opened: Closing[] = []
  const renewals: ((tls: TlsCredentials) => void)[] = []
  const close = async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()))
  }
  const listen = async (transport: StreamTransport, port: number) => {
    const listener = await openListener(transport, port, deps)
    opened.push(listener)
    renewals.push(listener.renew)
    ports[transport] = listener.port
    return listener
  }

  /** TCP and UDP on the same port number. */
  async function openSamePort(port: number, left: number): Promise<Udp> {
    const tcp = await openListener('tcp', port, deps)
    try {
      const udp = await openUdp(tcp.port, deps)
      opened.push(tcp, udp)
      ports.tcp = tcp.port
      return udp
    } catch (error) {
      await tcp.close()
      const another = port === 0 && left > 1 && error instanceof PortError && error.code === 'EADDRINUSE'
      if (!another) throw error
      return await openSamePort(port, left - 1)
    }
  }

  async function openDatagrams(port: number): Promise<Udp> {
    if (port === wanted.tcp) return await openSamePort(port, maxTries)
    const udp = await openUdp(port, deps)
    opened.push(udp)
    return udp
  }

  try {
    const udp = wanted.udp === undefined ? undefined : await openDatagrams(wanted.udp)
    if (udp) ports.udp = udp.port
    for (const transport of ['tcp', 'tls', 'ws', 'wss'] as const) {
      const port = wanted[transport]
      if (port !== undefined && ports[transport] === undefined) await listen(transport, port)
    }
    const renewTls = (tls: TlsCredentials) => {
      for (const renew of renewals) renew(tls)
    }
    return { ports, udp, renewTls, close }
  } catch (error) {
    await close()
    throw error
  }
}
