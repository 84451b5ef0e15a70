/** Commands to voice nodes in other processes (D240): rows are the commands, notices only make them fast. */
import { randomUUID } from 'node:crypto'
import type { Placed, Waiter } from '../../calls/admission/stored-command.ts'
import { findStage, withdrawCall } from '../../calls/admission/unclaimed-store.ts'
import { requestHangUp } from '../../calls/calls-store.ts'
import type { CallEvent, KeyPress } from '../../engine/port.ts'
import type { Timers } from '../../kit/timers.ts'
import type { Database } from '../../store/database.ts'
import type { Notices } from '../../store/notices/notices.ts'
import { createEventWaiter } from '../event-waiter.ts'
import { type CallMove, type CallNotices, moveChannel, readMoves } from './call-notices.ts'

/** How often the row of a call is read while a request waits for it. */
const pollMs = 500
const hasEnded: ReadonlySet<string> = new Set(['ended', 'over', 'not taken'])
/** How long a request waits for a database that is away, to learn whether the node has taken its call. */
const unknownWithinMs = 15_000

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
  const waiter = createEventWaiter<CallMove['type']>(timers)
  notices.listen(moveChannel(process), (payload) => {
    for (const move of readMoves(payload)) waiter.publish(move)
  })

  /** Notices may be lost, so the row is read as well. */
  async function waitForEnd(callId: string) {
    const deadline = timers.now() + answerWithinMs
    for (;;) {
      const noticed = await waiter.waitFor(callId, Math.min(pollMs, deadline - timers.now()), 'ended')
      if (noticed) return
      const stage = await findStage(db, callId)
      if (hasEnded.has(stage) || timers.now() >= deadline) return
    }
  }

  /** D501: not before its node has claimed the call, or cannot any more. */
  async function waitForNode(callId: string): Promise<Placed> {
    const began = timers.now()
    for (;;) {
      const noticed = await waiter.waitFor(callId, pollMs)
      if (noticed?.type === 'taken') return undefined
      if (noticed && isEvent(noticed.type) && noticed.type !== 'ended') return noticed.type
      const waited = timers.now() - began
      const stage = await findStage(db, callId).catch((error: unknown) => {
        // The node may have the call: neither answer would be true.
        if (waited > unknownWithinMs) throw error
        return undefined
      })
      if (stage === undefined || stage === 'unclaimed') continue
      // This process was stopped or cut off for so long that the call it waited for is over.
      if (stage === 'over') return 'ringing'
      if (stage !== 'claimed') return stage
      if (waited >= answerWithinMs) return undefined
    }
  }

  function wakeAndWait({ id, node }: RemoteCall): Promise<Placed> {
    const placed = waitForNode(id)
    callNotices.toNode(node, { kind: 'claim' })
    return placed
  }

  return {
    origin: process,
    /** Wakes the node of a call that is stored. Resolves as placing on this machine does. */
    async place(call: RemoteCall, client?: Waiter): Promise<Placed> {
      // D227: if the node was faster, its phone may ring already.
      if (client?.isWanted() === false && (await withdrawCall(db, call.id))) return 'not taken'
      return await wakeAndWait(call)
    },
    /** D282: the second call is stored; resolves once the node has taken it, or the time to wait is over. */
    transfer: (second: RemoteCall): Promise<Placed> => wakeAndWait(second),
    /** D280: undefined if the node did not answer in time. */
    async pressKeys(
      { id, node }: RemoteCall,
      to: KeyPress['to'],
      keys: string,
    ): Promise<boolean | undefined> {
      const request = randomUUID()
      const answer = waiter.waitFor(request, answerWithinMs)
      callNotices.toNode(node, { kind: 'keys', callId: id, origin: process, to, keys, request })
      const move = await answer
      return move && move.type === 'pressed'
    },
    /** D13: as on one machine, resolves once the end is stored, or the time to wait is over; false if the call is over. */
    async hangUp({ id, node }: RemoteCall): Promise<boolean> {
      if (!(await requestHangUp(db, id))) return false
      callNotices.toNode(node, { kind: 'hangup', callId: id, origin: process })
      await waitForEnd(id)
      return true
    },
  }
}
const isEvent = (type: CallMove['type']): type is CallEvent['type'] =>
  type !== 'taken' && type !== 'pressed' && type !== 'no call'

export type RemoteCommands = ReturnType<typeof createRemoteCommands>
