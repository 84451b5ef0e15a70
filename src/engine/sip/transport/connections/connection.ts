/** One connection, whatever it speaks: bytes out within bounds, and a flow to be named by. */
import type { Socket } from 'node:net'
import type { Flow, Peer, Transport } from '../flow.ts'

/** The end that bytes go in at, once a handshake is over. */
export type Outlet = { write(bytes: Buffer): void; queued(): number; end(): void }

/** Why we ended it ourselves. */
export type Cut = 'slow' | 'malformed' | 'unproven' | 'idle' | 'crowded' | 'connect_timeout' | 'unwelcome'

export type ConnectionFlow = Flow & { readonly connection: number }

type Parts = {
  flow: ConnectionFlow
  socket: Socket
  /** We made it: the other end listens at that port. */
  made: boolean
  /** Whom its certificate names, where we made it and know a name. */
  name: string | undefined
  mostQueued: number
  now(): number
  onCut(why: Cut): void
}

export function createConnection({ flow, socket, made, name, mostQueued, now, onCut }: Parts) {
  let outlet: Outlet | undefined
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
    if ((outlet ? outlet.queued() : backlogBytes) > mostQueued) cut('slow')
  }

  function ready(opened: Outlet) {
    outlet = opened
    connection.open = true
    for (const bytes of backlog.splice(0)) outlet.write(bytes)
  }

  function cut(why: Cut) {
    if (over) return
    leave()
    onCut(why)
    socket.destroy()
  }

  /** What was sent still goes out, and nothing is heard any more. */
  function end(why?: Cut) {
    if (over) return
    leave()
    if (why) onCut(why)
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
    made,
    name,
    open: false,
    /** It has sent a valid message, or it is of our own making. */
    proven: made,
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
