/** One connection, whatever it speaks: bytes out within bounds, and a flow to be named by. */
import type { Socket } from 'node:net'
import type { Flow, Peer, Transport } from '../flow.ts'

/** The end that bytes go in at, once a handshake is over. */
export type ByteOutlet = { write(bytes: Buffer): void; queued(): number; end(): void }

/** Why we ended it ourselves. */
export type CloseReason =
  | 'slow'
  | 'malformed'
  | 'unproven'
  | 'idle'
  | 'crowded'
  | 'connect_timeout'
  | 'unwelcome'

export type ConnectionFlow = Flow & { readonly connection: number }

type Parts = {
  flow: ConnectionFlow
  socket: Socket
  /** We made it: the other end listens at that port. */
  openedByUs: boolean
  /** Whom its certificate names, where we made it and know a name. */
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
  let backlog: Buffer[] = []
  let backlogBytes = 0
  let over = false

  /** What is sent before the handshake's end waits for it: a peer not yet verified is told nothing. */
  function send(bytes: Buffer) {
    if (over) return
    connection.activeAt = now()
    if (outlet) outlet.write(bytes)
    else {
      backlog.push(bytes)
      backlogBytes += bytes.length
    }
    if ((outlet ? outlet.queued() : backlogBytes) > maxQueuedBytes) cut('slow')
  }

  function ready(opened: ByteOutlet) {
    outlet = opened
    connection.open = true
    for (const bytes of backlog.splice(0)) outlet.write(bytes)
  }

  function cut(why: CloseReason) {
    if (over) return
    leave()
    onClosedByUs(why)
    socket.destroy()
  }

  /** What was sent still goes out, and nothing is heard any more. */
  function end(why?: CloseReason) {
    if (over) return
    leave()
    if (why) onClosedByUs(why)
    if (outlet) outlet.end()
    else destroy()
  }

  function destroy() {
    leave()
    socket.destroy()
  }

  function leave() {
    over = true
    backlog = []
  }

  const connection = {
    flow,
    openedByUs,
    certificateName,
    open: false,
    /** It has sent a valid message, or it is of our own making. */
    proven: openedByUs,
    bornAt: now(),
    activeAt: now(),
    ready,
    send,
    cut,
    end,
    leave,
    destroy,
    isOver: () => over,
  }
  return connection
}
export type Connection = ReturnType<typeof createConnection>

export function peerKey(transport: Transport, { address, port }: Peer, name = ''): string {
  return `${transport} ${address} ${port} ${name}`
}
