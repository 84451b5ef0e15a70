/** Connections of our own making, TCP and TLS. Browsers cannot be connected to. */
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Timers } from '../../../../kit/timers.ts'
import { isWildcard } from '../addresses.ts'
import type { Target } from '../flow.ts'
import type { Connection } from './connection.ts'
import type { ReceiveDeps } from './speaking.ts'
import { readStream } from './stream-connection.ts'

/** How those we connect to by TLS are judged. */
export type Trust = {
  /** Certificates to believe in besides the usual ones. */
  ca?: string | Buffer | undefined
  /** False takes any certificate, for a carrier with one of its own making. */
  verify?: boolean | undefined
}

type Deps = { host: string; trust: Trust; timers: Timers; speaking: ReceiveDeps }

export function createConnector({ host, trust, timers, speaking }: Deps) {
  const from = isWildcard(host) ? {} : { localAddress: host }

  /** Undefined where no connection may be made. It may still come to nothing within `connectMs`. */
  function dial(target: Target, connectMs: number): Connection | undefined {
    const { transport, remote } = target
    if ((transport !== 'tcp' && transport !== 'tls') || !isReachable(target)) return undefined
    const name = 'name' in target ? target.name : undefined
    const socket = transport === 'tcp' ? openTcp(target) : openTls(target, name)
    const connection = speaking.connections.add(socket, { transport, remote, made: true, name })
    if (!connection) {
      socket.on('error', () => {}).destroy()
      return undefined
    }
    const patience = timers.after(connectMs, () => connection.cut('connect_timeout'))
    socket.once('close', () => patience.cancel())
    socket.once(transport === 'tcp' ? 'connect' : 'secureConnect', () => {
      patience.cancel()
      if (!connection.isOver()) readStream(socket, connection, speaking)
    })
    return connection
  }

  function openTcp({ remote }: Target): Socket {
    const socket = connectTcp({ host: remote.address, port: remote.port, noDelay: true, ...from })
    return socket.setKeepAlive(true, 60_000)
  }

  /** The certificate must be for the name the address was found by, or for the address itself. */
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

  return dial
}

function isReachable({ remote }: Target): boolean {
  return isIP(remote.address) !== 0 && remote.port > 0 && remote.port < 65_536
}
