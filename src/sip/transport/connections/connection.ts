/** One TCP, TLS or WebSocket connection: its flow, and a bounded send queue. */
import type { Socket } from 'node:net'
import type { Flow, Peer, Transport } from '../flow.ts'

/** Where bytes are written once the handshake is complete. */
export type ByteOutlet = {
  write(bytes: Buffer): void
  queued(): number
  end(): void
  /** Asks the peer for a sign of life; undefined where the protocol has none. */
  ping?(): void
}

/** Why we closed the connection. */
export type CloseReason =
  | 'slow'
  | 'malformed'
  | 'unproven'
  | 'idle'
  | 'unresponsive'
  | 'crowded'
  | 'connect_timeout'
  | 'unwelcome'

export type ConnectionFlow = Flow & { readonly connection: number }

type Parts = {
  flow: ConnectionFlow
  socket: Socket
  /** We opened it, so the peer listens on that port. */
  openedByUs: boolean
  /** The host name that the peer's certificate must be valid for, if we opened it and know the name. */
  certificateName: string | undefined
  maxQueuedBytes: number
  now(): number
  onClosedByUs(why: CloseReason): void
}

export function createConnection({
  flow,
  socket,
  openedByUs,
  certificateName,
  maxQueuedBytes,
  now,
  onClosedByUs,
}: Parts) {
  let outlet: ByteOutlet | undefined
  let queue: Buffer[] = []
  let queueBytes = 0
  let over = false

  /** Messages wait for the end of the handshake: nothing is sent to a peer that is not verified yet. */
  function send(bytes: Buffer) {
    if (over) return
    connection.activeAt = now()
    if (outlet) outlet.write(bytes)
    else {
      queue.push(bytes)
      queueBytes += bytes.length
    }
    if ((outlet ? outlet.queued() : queueBytes) > maxQueuedBytes) abort('slow')
  }

  function ready(opened: ByteOutlet) {
    outlet = opened
    connection.open = true
    for (const bytes of queue.splice(0)) outlet.write(bytes)
  }

  /** False if the peer cannot be pinged. */
  function ping(): boolean {
    outlet?.ping?.()
    return outlet?.ping !== undefined
  }

  function abort(why: CloseReason) {
    if (over) return
    markOver()
    onClosedByUs(why)
    socket.destroy()
  }

  /** Sends what is queued, then closes; received data is ignored. */
  function end(why?: CloseReason) {
    if (over) return
    markOver()
    if (why) onClosedByUs(why)
    if (outlet) outlet.end()
    else destroy()
  }

  function destroy() {
    markOver()
    socket.destroy()
  }

  function markOver() {
    over = true
    queue = []
  }

  const connection = {
    flow,
    openedByUs,
    certificateName,
    open: false,
    /** True if its peer has authenticated, or we opened it. */
    proven: openedByUs,
    bornAt: now(),
    activeAt: now(),
    /** Sweeps since the peer sent something, pongs included. */
    silentSweeps: 0,
    ready,
    send,
    ping,
    abort,
    end,
    markOver,
    destroy,
    isOver: () => over,
  }
  return connection
}
export type Connection = ReturnType<typeof createConnection>

export function peerKey(transport: Transport, { address, port }: Peer, name = ''): string {
  return `${transport} ${address} ${port} ${name}`
}
