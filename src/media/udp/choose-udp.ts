/** Chooses the UDP sockets of media (D631). */
import type { Log } from '../../kit/process/log.ts'
import { dgramUdp } from './dgram-udp.ts'
import { markSocket } from './dscp.ts'
import { createEpollUdp } from './epoll-udp.ts'
import { loadLibc } from './libc.ts'
import type { Udp } from './port.ts'

export const udpKinds = ['dgram', 'epoll'] as const
export type UdpKind = (typeof udpKinds)[number]
/** `auto`: `epoll` on Linux, `dgram` elsewhere. */
export type WantedUdp = UdpKind | 'auto'

/** Why sockets of this kind cannot be used here; undefined if they can. */
export function whyNot(kind: UdpKind): string | undefined {
  if (kind === 'dgram') return undefined
  const loaded = loadLibc()
  return loaded.libc ? undefined : loaded.reason
}

/** `dgram` with a warning if `epoll` is wanted and cannot be used. */
export function usableKind(wanted: WantedUdp, log: Pick<Log, 'warn'>): UdpKind {
  const kind = wanted === 'auto' ? usualKind() : wanted
  const reason = whyNot(kind)
  if (reason === undefined) return kind
  log.warn({ reason }, `media cannot use ${kind} sockets, and uses node:dgram`)
  return 'dgram'
}

const usualKind = (): UdpKind => (process.platform === 'linux' ? 'epoll' : 'dgram')

/** Throws where the kind cannot be used. `dscp`: D632, with `epoll` only. */
export function createUdp(kind: UdpKind, dscp = 0): Udp {
  if (kind === 'dgram') return dgramUdp
  const loaded = loadLibc()
  if (!loaded.libc) throw new Error(loaded.reason)
  return createEpollUdp(loaded.libc, dscp)
}

/** D632: marks a socket. Undefined if sockets stay as they are: without a mark, or with `dgram`, for which the library is not loaded. */
export function createMarker(kind: UdpKind, dscp: number): ((fd: number) => void) | undefined {
  if (dscp === 0 || kind === 'dgram') return undefined
  const { libc } = loadLibc()
  return libc && ((fd) => markSocket(libc, fd, dscp))
}
