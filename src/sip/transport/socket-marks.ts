/** D632: packets of SIP are marked for the network. Node has no function for it, so that descriptors are handed out. */
import type { Socket as DatagramSocket } from 'node:dgram'
import { Socket } from 'node:net'

export type MarkSocket = (fd: number) => void

/** A connection that is being opened has a descriptor once it is open. */
export function markSocketBy(mark: MarkSocket | undefined, socket: Socket | DatagramSocket) {
  if (!mark) return
  if (socket instanceof Socket && socket.connecting) socket.once('connect', () => markHandle(mark, socket))
  else markHandle(mark, socket)
}

/** The descriptor is in a field of Node that is not documented. Without it, packets go unmarked. */
function markHandle(mark: MarkSocket, socket: object) {
  const { _handle: handle } = socket as { _handle?: { fd?: unknown } | null }
  if (typeof handle?.fd === 'number' && handle.fd >= 0) mark(handle.fd)
}
