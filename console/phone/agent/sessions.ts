/** The sessions of the phone by their numbers, and what JsSIP and the browser report of them, as events of the phone. */
import JsSIP from 'jssip'
import type { EndEvent, IncomingEvent, OutgoingEvent, RTCSession } from 'jssip/lib/RTCSession'
import type { IncomingRequest } from 'jssip/lib/SIPMessage'
import { dialogOf } from '../connection/kept-call.ts'
import { watchSoundPath } from '../connection/sound-path.ts'
import { readEndReason } from '../moves/end-reason.ts'
import type { SessionId } from '../moves/phone.ts'
import type { OverEvent, PhoneEvent } from '../moves/phone-events.ts'
import type { Speaker } from '../sound/speaker.ts'

/** Id of the call in the API. */
export const idHeader = 'X-Call-Id'
/** A TURN server that does not answer delays a call by no more than this. */
const candidatesMs = 1_000

type Deps = {
  dispatch(event: PhoneEvent): void
  /** There is reason to doubt the connection. */
  onDoubt(): void
  speaker: Speaker
}

export function createSessions({ dispatch, onDoubt, speaker }: Deps) {
  const sessions = new Map<SessionId, RTCSession>()
  let last: SessionId = 0

  function watch(session: SessionId, started: RTCSession) {
    const report = (type: 'sending' | 'held' | 'unheld' | 'muted' | 'unmuted') => () =>
      dispatch({ type, session })
    started.on('sending', report('sending'))
    started.on('hold', report('held'))
    started.on('unhold', report('unheld'))
    started.on('muted', report('muted'))
    started.on('unmuted', report('unmuted'))
    for (const type of ['update', 'reinvite'] as const)
      started.on(type, ({ request }: { request: IncomingRequest }) => {
        const number = userOf(request.getHeader('P-Asserted-Identity'))
        if (number !== undefined) dispatch({ type: 'connectedTo', session, number })
      })
    started.on('accepted', (event: IncomingEvent | OutgoingEvent) => {
      // JsSIP's types omit that the response is null for a call that came in.
      const response = 'response' in event ? (event.response as OutgoingEvent['response'] | null) : null
      dispatch({ type: 'accepted', session, id: response?.getHeader(idHeader) })
    })
    started.on('confirmed', () => {
      dispatch({ type: 'confirmed', session, dialog: dialogOf(started), at: Date.now() })
      watchSound(session, started.connection)
    })
    started.on('icecandidate', ({ candidate, ready }) => {
      if (candidate.type === 'relay') ready()
      else setTimeout(ready, candidatesMs)
    })
    for (const type of ['ended', 'failed'] as const)
      started.on(type, (event: EndEvent) => {
        sessions.delete(session)
        dispatch({ type: 'over', session, cause: event.cause, by: endedBy(event), reason: reasonOf(event) })
      })
  }

  function watchSound(session: SessionId, connection: RTCPeerConnection) {
    watchSoundPath(connection, { onDoubt, onBroken: () => dispatch({ type: 'soundLost', session }) })
    const check = () =>
      connection.connectionState === 'connected' && dispatch({ type: 'soundFlows', session })
    connection.addEventListener('connectionstatechange', check)
    check()
  }

  return {
    /** A number that no session has had. */
    fresh(): SessionId {
      last += 1
      return last
    },
    add(session: SessionId, started: RTCSession) {
      sessions.set(session, started)
      speaker.connect(session, started)
      watch(session, started)
    },
    /** Undefined if it has ended. */
    get: (session: SessionId | undefined) => (session === undefined ? undefined : sessions.get(session)),
  }
}
export type Sessions = ReturnType<typeof createSessions>

/** The user of an address in a header. */
export const userOf = (address: string | undefined) => /sips?:([^@;>]+)@/.exec(address ?? '')?.[1]

function reasonOf({ originator, message, cause }: EndEvent) {
  return readEndReason({
    cause,
    isOurs: String(originator) === 'local',
    header: message?.getHeader('Reason'),
    phrase: message && 'reason_phrase' in message ? message.reason_phrase : undefined,
  })
}

function endedBy({ originator, message, cause }: EndEvent): OverEvent['by'] {
  if (cause === JsSIP.C.causes.CONNECTION_ERROR) return 'connection'
  const status = message && 'status_code' in message ? message.status_code : undefined
  const isRefused = status === undefined ? String(originator) === 'remote' : status < 500
  return isRefused ? 'service' : 'other'
}
