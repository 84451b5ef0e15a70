/** The UDP socket. Send errors are reported; lost datagrams are left to the retransmission timers. */
import { createSocket, type RemoteInfo } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Counts } from '../counts.ts'
import { addressForFamily, plainAddress } from './addresses.ts'
import type { Admit, Flow, Peer } from './flow.ts'
import { type Inbox, isKeepAlive } from './inbox.ts'
import { cannotListen } from './port-error.ts'
import { type MarkSocket, markSocketBy } from './socket-marks.ts'

type Deps = {
  host: string
  counts: Counts
  inbox: Inbox
  admit: Admit
  markSocket?: MarkSocket | undefined
}

/** Large enough for a burst of registrations after a power cut. */
const bufferBytes = 4 * 1024 * 1024

/** Transient errors, or caused by an earlier datagram to another peer: a retransmission may succeed. */
const transientErrors = new Set(['ENOBUFS', 'ENOMEM', 'EAGAIN', 'ECONNREFUSED'])

export async function openUdp(port: number, { host, counts, inbox, admit, markSocket }: Deps) {
  const family = isIPv6(host) ? 6 : 4
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    // Addresses are numeric: a synchronous lookup saves a turn of the event loop for each datagram.
    lookup: (name, _options, answer) => answer(null, name, family),
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', (error) => reject(cannotListen('udp', port, host, error)))
    socket.bind({ port, address: host, exclusive: true }, resolve)
  })
  socket.removeAllListeners('error')
  socket.on('error', () => counts.add('sip_udp_errors_total'))
  markSocketBy(markSocket, socket)
  enlarge(() => socket.setRecvBufferSize(bufferBytes))
  enlarge(() => socket.setSendBufferSize(bufferBytes))
  const local = { address: host, port: socket.address().port }
  socket.on('message', receive)
  let closed = false

  function receive(bytes: Buffer, from: RemoteInfo) {
    const remote = { address: plainAddress(from.address), port: from.port }
    if (!admit({ transport: 'udp', remote }, bytes)) return counts.add('sip_dropped_not_admitted_total')
    // A response to port 0 is impossible.
    if (from.port === 0) return counts.add('sip_dropped_malformed_total')
    if (isKeepAlive(bytes)) return counts.add('sip_keep_alives_total')
    inbox.packet(bytes, { transport: 'udp', local, remote })
  }

  /** Undefined if the address cannot be reached from this socket. */
  function send(bytes: Buffer, remote: Peer, onFailed?: () => void): Flow | undefined {
    const address = addressForFamily(remote.address, family)
    if (closed || address === undefined || remote.port < 1) return undefined
    counts.add('sip_sent_udp_total')
    socket.send(bytes, remote.port, address, onFailed ? reportTo(onFailed) : countError)
    return { transport: 'udp', local, remote }
  }

  function countError(error: Error | null) {
    if (error) counts.add('sip_udp_errors_total')
  }

  function reportTo(onFailed: () => void) {
    return (error: NodeJS.ErrnoException | null) => {
      countError(error)
      if (error && !transientErrors.has(error.code ?? '')) onFailed()
    }
  }

  async function close() {
    closed = true
    await new Promise<void>((resolve) => socket.close(() => resolve()))
  }

  return { port: local.port, send, close }
}
export type Udp = Awaited<ReturnType<typeof openUdp>>

/** The operating system may not allow this size. */
function enlarge(change: () => void) {
  try {
    change()
  } catch {}
}
