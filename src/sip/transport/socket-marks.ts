/** D632: packets of SIP are marked for the network. Node has no function for it, so that descriptors are handed out. */
import type { Socket as DatagramSocket } from 'node:dgram'
import { Socket } from 'node:net'

export type MarkSocket = (fd: number) => void

type Handle = { fd?: unknown } | null | undefined

/** A connection that is being opened has a descriptor once it is open. */
export function markSocketBy(mark: MarkSocket | undefined, socket: Socket | DatagramSocket) {
  if (!mark) return
  if (socket instanceof Socket && socket.connecting) socket.once('connect', () => markHandle(mark, socket))
  else markHandle(mark, socket)
}

/** Descriptors are in fields of Node that are not documented. Without them, packets go unmarked. */
function markHandle(mark: MarkSocket, socket: Socket | DatagramSocket) {
  const fd = (socket instanceof Socket ? streamHandle(socket) : datagramHandle(socket))?.fd
  if (typeof fd === 'number' && fd >= 0) mark(fd)
}

const streamHandle = (socket: object) => (socket as { _handle?: Handle })._handle

/** Its `_handle` is deprecated with a warning. */
function datagramHandle(socket: object): Handle {
  const state = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'state symbol')
  return state && (socket as Record<symbol, { handle?: Handle }>)[state]?.handle
}
