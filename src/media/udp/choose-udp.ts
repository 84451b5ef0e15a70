/** Which UDP sockets media uses (D631). */
import { dgramUdp } from './dgram-udp.ts'
import { createEpollUdp } from './epoll-udp.ts'
import { loadLibc } from './libc.ts'
import type { Udp } from './port.ts'

export const udpKinds = ['dgram', 'epoll'] as const
export type UdpKind = (typeof udpKinds)[number]

/** Why sockets of this kind cannot be used here; undefined if they can. */
export function whyNot(kind: UdpKind): string | undefined {
  if (kind === 'dgram') return undefined
  const loaded = loadLibc()
  return loaded.libc ? undefined : loaded.reason
}

/** `node:dgram` where the other kind cannot be used. */
export function chooseUdp(kind: UdpKind): Udp {
  if (kind === 'dgram') return dgramUdp
  const { libc } = loadLibc()
  return libc ? createEpollUdp(libc) : dgramUdp
}
