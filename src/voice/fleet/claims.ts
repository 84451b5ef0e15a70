/**
 * The node's side of a fleet (D240): claims the calls that other processes placed for its phones, or that take over from
 * them (D282), hangs up what they request, presses keys, and reports what was stored or done. By notices, and by a poll: a
 * lost notice costs a second. Keys are not stored, since they could be read later: they go by notices alone (D280).
 */

import { type ClaimedCall, claimCalls, passCallOn } from '../../calls/admission/unclaimed-store.ts'
import { selectHangUps } from '../../calls/calls-store.ts'
import type { CallEvent, ExtensionName, VoiceEngine } from '../../engine/port.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Database } from '../../store/database.ts'
import type { Notices } from '../../store/notices/notices.ts'
import { type CallNotices, type NodeNotice, nodeChannel, readNodeNotices } from './call-notices.ts'

type Deps = {
  db: Database
  log: Log
  notices: Pick<Notices, 'listen' | 'onConnected'>
  callNotices: Pick<CallNotices, 'toOrigin' | 'toNode'>
  node: string
  hasPhone: (extension: ExtensionName) => boolean
  /** The other node at which a phone is registered. */
  findNode: (extension: ExtensionName) => Promise<{ id: string } | undefined>
  /** False if the engine has not taken it. */
  placeClaimed: (call: ClaimedCall) => Promise<boolean>
  /** False if no such call is live here. */
  hangUp: (callId: string) => boolean
  pressKeys: VoiceEngine['pressKeys']
}

/** A process that waits for the next event of a call, or for its end. */
type Follower = { origin: string; type: 'ended' | undefined }

export function createClaims(deps: Deps) {
  const { db, log, notices, callNotices, node, hasPhone, findNode, placeClaimed, hangUp, pressKeys } = deps
  const followers = new Map<string, Follower[]>()
  let claiming: Promise<void> | undefined
  let again = false

  notices.onConnected(() => claim().catch(onLost))
  notices.listen(nodeChannel(node), (payload) => {
    for (const notice of readNodeNotices(payload)) onNotice(notice)
  })

  function onNotice(notice: NodeNotice) {
    if (notice.kind === 'claim') {
      claim().catch(onLost)
      return
    }
    const { callId, origin } = notice
    if (notice.kind === 'keys') {
      const isPressed = pressKeys(callId, notice.to, notice.keys)
      callNotices.toOrigin(origin, { callId: notice.request, type: isPressed ? 'pressed' : 'no call' })
    } else if (hangUp(callId)) follow(callId, { origin, type: 'ended' })
  }

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
        for (const call of await claimCalls(db, node)) void take(call)
      }
    } finally {
      claiming = undefined
    }
  }

  async function take(call: ClaimedCall) {
    const { callId, origin, command } = call
    if (command.transferOf === undefined) {
      const { extension } = command.request
      if (!hasPhone(extension) && (await passOn(call, extension))) return
    }
    follow(callId, { origin, type: undefined })
    const isTaken = await placeClaimed(call)
    if (isTaken && command.transferOf) callNotices.toOrigin(origin, { callId, type: 'taken' })
  }

  /** D502: the phone has moved since the call was placed. False if it is nowhere else. */
  async function passOn(call: ClaimedCall, extension: ExtensionName): Promise<boolean> {
    try {
      const found = await findNode(extension)
      if (!found || !(await passCallOn(db, call, { from: node, to: found.id }))) return false
      callNotices.toNode(found.id, { kind: 'claim' })
      return true
    } catch (error) {
      log.debug({ err: error, call: call.callId }, 'a call could not be passed on')
      return false
    }
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
