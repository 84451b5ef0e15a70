/**
 * The node's side of a fleet (D240): claims the calls that other processes placed for its phones, hangs up what they
 * request, and reports to them what was stored. By notices, and by a poll: a lost notice costs a second.
 */
import type { CallEvent } from '../../engine/port.ts'
import type { Log } from '../../kit/log.ts'
import type { Database } from '../../store/database.ts'
import type { Notices } from '../../store/notices.ts'
import { selectHangUps } from '../calls-store.ts'
import { type CallNotices, nodeChannel, readNodeNotices } from './call-notices.ts'
import { type ClaimedCall, claimCalls } from './unclaimed-store.ts'

type Deps = {
  db: Database
  log: Log
  notices: Pick<Notices, 'listen' | 'onConnected'>
  callNotices: Pick<CallNotices, 'toOrigin'>
  node: string
  placeClaimed: (call: ClaimedCall) => Promise<void>
  /** False if no such call is live here. */
  hangUp: (callId: string) => boolean
}

/** A process that waits for the next event of a call, or for its end. */
type Follower = { origin: string; type: 'ended' | undefined }

export function createClaims({ db, log, notices, callNotices, node, placeClaimed, hangUp }: Deps) {
  const followers = new Map<string, Follower[]>()
  let claiming: Promise<void> | undefined
  let again = false

  notices.onConnected(() => claim().catch(onLost))
  notices.listen(nodeChannel(node), (payload) => {
    for (const notice of readNodeNotices(payload)) {
      if (notice.kind === 'claim') claim().catch(onLost)
      else if (hangUp(notice.callId)) follow(notice.callId, { origin: notice.origin, type: 'ended' })
    }
  })

  /** The next poll claims what is left. */
  function onLost(error: unknown) {
    log.debug({ err: error }, 'calls could not be claimed')
  }

  /** One statement at a time: what is noticed during it is claimed by the next. */
  function claim(): Promise<void> {
    again = true
    claiming ??= claimAll()
    return claiming
  }

  async function claimAll() {
    try {
      while (again) {
        again = false
        for (const call of await claimCalls(db, node)) take(call)
      }
    } finally {
      claiming = undefined
    }
  }

  function take(call: ClaimedCall) {
    follow(call.callId, { origin: call.origin, type: undefined })
    void placeClaimed(call)
  }

  function follow(callId: string, follower: Follower) {
    followers.set(callId, [...(followers.get(callId) ?? []), follower])
  }

  return {
    async tick() {
      await claim()
      for (const callId of await selectHangUps(db, node)) hangUp(callId)
    },
    /** Call it when an event is stored. */
    onStored({ callId, type }: CallEvent) {
      const waiting = followers.get(callId)
      if (!waiting) return
      const isDue = (follower: Follower) => (follower.type ?? type) === type
      for (const follower of waiting)
        if (isDue(follower)) callNotices.toOrigin(follower.origin, { callId, type })
      const left = type === 'ended' ? [] : waiting.filter((follower) => !isDue(follower))
      if (left.length > 0) followers.set(callId, left)
      else followers.delete(callId)
    },
  }
}
