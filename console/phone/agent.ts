/**
 * The SIP user agent of the browser phone (JsSIP): registers, rings, dials, and follows one call at a time, besides one
 * that waits while somebody else is asked whether they take it.
 */
import JsSIP from 'jssip'
import type { IncomingEvent, OutgoingEvent, RTCSession } from 'jssip/lib/RTCSession'
import type { IncomingRTCSessionEvent, OutgoingRTCSessionEvent } from 'jssip/lib/UA'
import { client } from '../api.ts'
import { answersByItself, audioConstraints } from './devices.ts'
import { type Dialog, type KeptCall, keepCall, takeKeptCall } from './kept-call.ts'
import { measureQuality } from './quality.ts'
import { startRinging, stopRinging } from './ringer.ts'
import { createSpeaker } from './speaker.ts'
import { newCall, type PhoneCall, phoneState, setCall, setPhone, userAgent } from './state.ts'

/** What the service gives the phone for some minutes: to register with, and TURN servers with their credentials. */
export type Access = { domain: string; username: string; password: string; iceServers: RTCIceServer[] }

/** Set on calls that were placed over the API: the phone rings first. */
const integratedHeader = 'X-Api4comintegratedcall'
const idHeader = 'X-Call-Id'
const causeMs = 6_000
/** A TURN server that does not answer delays a call by no more than this. */
const candidatesMs = 1_000
/** How long the page tries to come back to the call it had before it was loaded. */
const returnMs = 30_000

/** Same origin as the page: what brought the page brings the calls. */
const socketUrl = () => `${window.location.origin.replace(/^http/, 'ws')}/sip`

type Settings = {
  ramal: string
  access: Access
  describe: (number: string) => string
  renew: () => void
}

export function createAgent({ ramal, access, describe, renew }: Settings) {
  const { domain, username, password } = access
  let { iceServers } = access
  const agent = new JsSIP.UA({
    sockets: [new JsSIP.WebSocketInterface(socketUrl())],
    uri: `sip:${ramal}@${domain}`,
    authorization_user: username,
    password,
    session_timers: false,
    user_agent: userAgent,
    register_expires: 120,
  })
  const speaker = createSpeaker()
  let session: RTCSession | undefined
  let parked: { session: RTCSession; call: PhoneCall } | undefined
  /** The call to come back to once the phone is registered (D318). */
  let lost = takeKeptCall(ramal)
  const dialogs = new WeakMap<RTCSession, Dialog>()
  let stopQuality: (() => void) | undefined

  agent.on('connecting', () => setPhone({ registration: 'connecting' }))
  agent.on('registered', () => {
    setPhone({ registration: 'ready' })
    if (lost) comeBack(lost)
  })
  agent.on('unregistered', () => setPhone({ registration: 'connecting' }))
  agent.on('disconnected', () => {
    setPhone({ registration: 'connecting' })
    if (session) lose(session)
  })
  agent.on('registrationFailed', () => {
    setPhone({ registration: 'failed' })
    renew()
  })
  agent.on('newRTCSession', (event: IncomingRTCSessionEvent | OutgoingRTCSessionEvent) => {
    if (event.originator === 'remote') ring(event as IncomingRTCSessionEvent)
  })

  function ring({ session: incoming, request }: IncomingRTCSessionEvent) {
    if (session || lost) {
      incoming.terminate({ status_code: 486 })
      return
    }
    const number = incoming.remote_identity.uri.user
    follow(incoming, { ...newCall('in', number), id: request.getHeader(idHeader) })
    const isPlaced = request.getHeader(integratedHeader) !== undefined
    if (isPlaced && answersByItself()) answer()
    else startRinging(describe(number), answer)
  }

  function follow(started: RTCSession, call: PhoneCall) {
    session = started
    setPhone({ lastCause: undefined, lostNumber: undefined, call })
    speaker.connect(started)
    speaker.listenTo(started)
    const update = (change: Partial<PhoneCall>) => session === started && setCall(change)
    // An exception here would make JsSIP fail the session, whose 200 has been sent.
    started.on('accepted', (event: IncomingEvent | OutgoingEvent) => {
      stopRinging()
      // JsSIP's types omit that the response is null for a call that came in.
      const response = 'response' in event ? (event.response as OutgoingEvent['response'] | null) : null
      if (response) update({ id: response.getHeader(idHeader) ?? call.id })
    })
    started.on('confirmed', () => {
      stopRinging()
      dialogs.set(started, dialogOf(started))
      update({ state: 'talking', answeredAt: call.answeredAt ?? Date.now() })
      stopQuality?.()
      stopQuality = measureQuality(started.connection, (quality) => update({ quality }))
    })
    started.on('hold', () => update({ isHeld: true }))
    started.on('unhold', () => update({ isHeld: false }))
    started.on('muted', () => update({ isMuted: true }))
    started.on('unmuted', () => update({ isMuted: false }))
    started.on('icecandidate', ({ candidate, ready }) => {
      if (candidate.type === 'relay') ready()
      else setTimeout(ready, candidatesMs)
    })
    for (const event of ['ended', 'failed'] as const) started.on(event, ({ cause }) => onOver(started, cause))
  }

  function onOver(ended: RTCSession, cause: string) {
    if (parked?.session === ended) {
      parked = undefined
      setPhone({ parked: undefined })
    }
    if (session !== ended || lost) return
    if (cause === JsSIP.C.causes.CONNECTION_ERROR && lose(ended)) return
    if (parked) return unpark()
    const { call } = phoneState()
    clear()
    if (call?.state === 'returning') return giveUp(call)
    setPhone({ lastCause: cause })
    setTimeout(() => {
      if (phoneState().lastCause === cause) setPhone({ lastCause: undefined })
    }, causeMs)
  }

  function clear() {
    session = undefined
    stopQuality?.()
    stopRinging()
    speaker.listenTo(undefined)
    setPhone({ call: undefined })
  }

  /** The connection broke in a call: once there is another, the page comes back to it. */
  function lose(broken: RTCSession): boolean {
    lost = keptOf(broken, phoneState().call)
    waitForReturn()
    return lost !== undefined
  }

  function keptOf(one: RTCSession | undefined, call: PhoneCall | undefined): KeptCall | undefined {
    const dialog = one && dialogs.get(one)
    return dialog && call?.state === 'talking' ? { ramal, dialog, call } : undefined
  }

  function waitForReturn() {
    const waiting = lost
    if (!waiting) return
    setPhone({ call: { ...waiting.call, state: 'returning', quality: undefined } })
    setTimeout(() => lost === waiting && abandon(waiting.call), returnMs)
  }

  /** Takes the place of the leg that was lost. */
  function comeBack({ dialog, call }: KeptCall) {
    const before = session
    lost = undefined
    const started = agent.call(`sip:${ramal}@${domain}`, {
      ...options(),
      extraHeaders: [`Replaces: ${dialog.call_id};to-tag=${dialog.remote_tag};from-tag=${dialog.local_tag}`],
    })
    follow(started, { ...call, state: 'returning', quality: undefined })
    if (call.isMuted) started.on('sending', () => started.mute({ audio: true }))
    if (call.isHeld) started.on('confirmed', () => started.hold())
    end(before)
  }

  function abandon(call: PhoneCall) {
    const before = session
    clear()
    end(before)
    giveUp(call)
  }

  function end(broken: RTCSession | undefined) {
    if (broken && !broken.isEnded()) broken.terminate()
  }

  /** The other side is not left waiting for a phone that cannot come back. */
  function giveUp({ id, number }: PhoneCall) {
    lost = undefined
    setPhone({ lostNumber: number })
    if (id !== undefined) void client.POST('/calls/{id}/hangup', { params: { path: { id } } }).catch(() => {})
  }

  function onLeave() {
    const kept = lost ?? (parked ? keptOf(parked.session, parked.call) : keptOf(session, phoneState().call))
    if (kept) keepCall(kept)
  }

  const options = () => ({
    mediaConstraints: audioConstraints() as { audio: boolean; video: boolean },
    pcConfig: { iceServers },
  })

  function answer() {
    stopRinging()
    setCall({ state: 'connecting' })
    session?.answer(options())
  }

  function dial(number: string) {
    if (session || lost) return
    const digits = number.replace(/[^\d+*#]/g, '')
    follow(agent.call(`sip:${digits}@${domain}`, options()), newCall('out', digits))
  }

  function unpark() {
    if (!parked) return
    const { session: waiting, call } = parked
    parked = undefined
    session = waiting
    setPhone({ call: { ...call, isHeld: true }, parked: undefined })
    speaker.listenTo(waiting)
    waiting.unhold()
  }

  window.addEventListener('pagehide', onLeave)
  agent.start()
  setPhone({ registration: 'connecting' })
  waitForReturn()

  return {
    answer,
    dial,
    renew(next: Access) {
      iceServers = next.iceServers
      agent.set('authorization_user', next.username)
      agent.set('password', next.password)
      agent.register()
    },
    hangUp() {
      const { call } = phoneState()
      if (lost && call) abandon(call)
      else session?.terminate(call?.state === 'ringing' ? { status_code: 486 } : undefined)
    },
    mute: () => session?.mute({ audio: true }),
    unmute: () => session?.unmute({ audio: true }),
    hold: () => session?.hold(),
    resume: () => session?.unhold(),
    press: (key: string) => session?.sendDTMF(key, { transportType: JsSIP.C.DTMF_TRANSPORT.RFC2833 }),
    /** Asks somebody first whether they take the call, which waits. */
    consult(number: string) {
      const { call } = phoneState()
      if (!session || parked || call?.state !== 'talking') return
      session.hold()
      parked = { session, call }
      session = undefined
      setPhone({ call: undefined, parked: call })
      dial(number)
    },
    /** Connects the call that waits with the one that is talked in; this phone leaves both. */
    connectParked(onFailed: () => void) {
      if (!parked || !session) return
      const target = session.remote_identity.uri.toString()
      const eventHandlers = { requestFailed: onFailed, failed: onFailed }
      parked.session.refer(target, { replaces: session, eventHandlers })
    },
    stop() {
      window.removeEventListener('pagehide', onLeave)
      stopRinging()
      agent.stop()
      setPhone({ registration: 'off', call: undefined, parked: undefined })
    },
  }
}
export type Agent = ReturnType<typeof createAgent>

/** JsSIP offers no other way to the ids of a leg. */
function dialogOf(session: RTCSession): Dialog {
  const { _dialog } = session as unknown as { _dialog: { id: Dialog } }
  return _dialog.id
}
