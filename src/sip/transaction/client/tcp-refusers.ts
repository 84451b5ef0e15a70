import type { Timers } from '../../../kit/timers.ts'
import type { Peer } from '../../transport/flow.ts'

const keptMs = 600_000
const maxKept = 10_000

/** Remembers UDP peers that refused a TCP connection, so that large requests to them go by UDP for a while. */
export function createTcpRefusers(timers: Pick<Timers, 'now'>) {
  const until = new Map<string, number>()
  const keyOf = ({ address, port }: Peer) => `${address} ${port}`

  return {
    add(peer: Peer) {
      const key = keyOf(peer)
      until.delete(key)
      const [oldest] = until.keys()
      if (until.size >= maxKept && oldest !== undefined) until.delete(oldest)
      until.set(key, timers.now() + keptMs)
    },
    has: (peer: Peer) => (until.get(keyOf(peer)) ?? 0) > timers.now(),
  }
}
export type TcpRefusers = ReturnType<typeof createTcpRefusers>
