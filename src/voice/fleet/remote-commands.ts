/** Commands to voice nodes in other processes (D240): rows are the commands, notices only make them fast. */
import type { KeyPress } from '../../engine/port.ts'
import type { Timers } from '../../kit/timers.ts'
import type { Database } from '../../store/database.ts'
import type { Notices } from '../../store/notices.ts'
import { pressElsewhere } from '../call-keys.ts'
import { type SecondCall, transferElsewhere } from '../call-transfers.ts'
import { findMove, requestHangUp } from '../calls-store.ts'
import { createEventWaiter } from '../events/event-waiter.ts'
import { type CallMove, type CallNotices, moveChannel, readMoves } from './call-notices.ts'

/** How often the row of a call is read while a request waits for it. */
const pollMs = 500

type Deps = {
  db: Database
  timers: Timers
  notices: Pick<Notices, 'listen'>
  callNotices: Pick<CallNotices, 'toNode'>
  /** The id of this process. */
  process: string
  /** How long a request waits. */
  answerWithinMs: number
}

type RemoteCall = { id: string; node: string }

export function createRemoteCommands({ db, timers, notices, callNotices, process, answerWithinMs }: Deps) {
  const waiter = createEventWaiter(timers)
  notices.listen(moveChannel(process), (payload) => {
    for (const move of readMoves(payload)) waiter.publish(move)
  })

  /** Notices may be lost, so the row is read as well. */
  async function waitFor(callId: string, type?: 'ended'): Promise<CallMove['type'] | undefined> {
    const deadline = timers.now() + answerWithinMs
    for (;;) {
      const noticed = await waiter.waitFor(callId, Math.min(pollMs, deadline - timers.now()), type)
      if (noticed) return noticed.type
      const stored = await findMove(db, callId)
      if (stored === 'ended' || (stored && !type)) return stored
      if (timers.now() >= deadline) return undefined
    }
  }

  return {
    origin: process,
    /** Wakes the node of a call that is stored. Resolves as placing on this machine does. */
    async place({ id, node }: RemoteCall, isWanted?: () => boolean) {
      const first = waitFor(id)
      // D227: the client left while the call was being stored. The node finds the request when it claims the call.
      if (isWanted?.() === false) await requestHangUp(db, id)
      callNotices.toNode(node, { kind: 'claim' })
      return await first
    },
    async transfer(callId: string, second: SecondCall): Promise<boolean> {
      await transferElsewhere(db, callId, second)
      return true
    },
    async pressKeys(callId: string, to: KeyPress['to'], keys: string): Promise<boolean> {
      await pressElsewhere(db, { callId, to, keys })
      return true
    },
    /** D13: as on one machine, resolves once the end is stored, or the time to wait is over; false if the call is over. */
    async hangUp({ id, node }: RemoteCall): Promise<boolean> {
      if (!(await requestHangUp(db, id))) return false
      callNotices.toNode(node, { kind: 'hangup', callId: id, origin: process })
      await waitFor(id, 'ended')
      return true
    },
  }
}
export type RemoteCommands = ReturnType<typeof createRemoteCommands>
