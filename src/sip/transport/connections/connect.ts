/** Opens connections to peers, TCP and TLS. Browsers cannot be connected to. */
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Timers } from '../../../kit/timers.ts'
import { isWildcard } from '../addresses.ts'
import type { Target } from '../flow.ts'
import type { Connection } from './connection.ts'
import type { ReceiveDeps } from './connections.ts'
import { readStream } from './stream-connection.ts'

/** How the TLS certificates of peers we connect to are verified. */
export type TlsTrust = {
  /** CA certificates to trust. */
  ca?: string | Buffer | undefined
  /** False accepts any certificate, for a carrier with a self-signed one. */
  verify?: boolean | undefined
}

type Deps = { host: string; trust: TlsTrust; timers: Timers; receiveDeps: ReceiveDeps }

export function createConnector({ host, trust, timers, receiveDeps }: Deps) {
  const from = isWildcard(host) ? {} : { localAddress: host }

  /** Undefined if no connection can be opened. An attempt that takes longer than `connectMs` is aborted. */
  function openConnection(target: Target, connectMs: number): Connection | undefined {
    const { transport, remote } = target
    if ((transport !== 'tcp' && transport !== 'tls') || !isReachable(target)) return undefined
    const name = 'name' in target ? target.name : undefined
    const socket = transport === 'tcp' ? openTcp(target) : openTls(target, name)
    const connection = receiveDeps.connections.add(socket, {
      transport,
      remote,
      openedByUs: true,
      certificateName: name,
    })
    if (!connection) {
      socket.on('error', () => {}).destroy()
      return undefined
    }
    const timeout = timers.after(connectMs, () => connection.abort('connect_timeout'))
    socket.once('close', () => timeout.cancel())
    socket.once(transport === 'tcp' ? 'connect' : 'secureConnect', () => {
      timeout.cancel()
      if (!connection.isOver()) readStream(socket, connection, receiveDeps)
    })
    return connection
  }

  function openTcp({ remote }: Target): Socket {
    const socket = connectTcp({ host: remote.address, port: remote.port, noDelay: true, ...from })
    return socket.setKeepAlive(true, 60_000)
  }

  /** The certificate must be valid for the host name the address was resolved from, or for the address itself. */
  function openTls({ remote }: Target, name: string | undefined): Socket {
    const socket = connectTls({
      host: remote.address,
      port: remote.port,
      ...(name !== undefined && isIP(name) === 0 ? { servername: name } : {}),
      ...(trust.ca === undefined ? {} : { ca: trust.ca }),
      rejectUnauthorized: trust.verify ?? true,
      ...from,
    })
    return socket.setNoDelay(true).setKeepAlive(true, 60_000)
  }

  return openConnection
}

function isReachable({ remote }: Target): boolean {
  return isIP(remote.address) !== 0 && remote.port > 0 && remote.port < 65_536
}
