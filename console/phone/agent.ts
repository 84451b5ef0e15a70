/**
 * The SIP user agent of the browser phone (JsSIP): registers, rings, dials, and follows one call at a time, besides one
 * that waits while somebody else is asked whether they take it.
 */
import JsSIP from 'jssip'
import type { IncomingEvent, OutgoingEvent, RTCSession } from 'jssip/lib/RTCSession'
import type { IncomingResponse } from 'jssip/lib/SIPMessage'
import type { IncomingRTCSessionEvent, OutgoingRTCSessionEvent } from 'jssip/lib/UA'
import { answerWithMicrophone } from './answer.ts'
import {
  type Dialog,
  dialogOf,
  type KeptCall,
  keepCall,
  replacesHeader,
  takeKeptCall,
} from './connection/kept-call.ts'
import { createRecovery, hangUpAtService } from './connection/recovery.ts'
import { createPhoneSocket } from './connection/socket.ts'
import { watchSoundPath } from './connection/sound-path.ts'
import { createParking } from './parking.ts'
import { answersByItself, audioConstraints, microphoneProblem } from './sound/devices.ts'
import { measureQuality } from './sound/quality.ts'
import { startRinging, stopRinging } from './sound/ringer.ts'
import { createSpeaker } from './sound/speaker.ts'
import { newCall, type PhoneCall, phoneState, setCall, setPhone, userAgent } from './state.ts'

/** What the service gives the phone for some minutes: to register with, and TURN servers with their credentials. */
export type Access = { domain: string; username: string; password: string; iceServers: RTCIceServer[] }

/** Set on calls that were placed over the API: the phone rings first. */
const integratedHeader = 'X-Api4comintegratedcall'
const idHeader = 'X-Call-Id'
const causeMs = 6_000
/** A TURN server that does not answer delays a call by no more than this. */
const candidatesMs = 1_000
/** D413: names the phone that took the place of this one. */
const displacedHeader = 'X-Displaced-By'
/** Seconds between attempts to connect. */
const reconnect = { min: 1, max: 4 }

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
  const socket = createPhoneSocket(socketUrl())
  const agent = new JsSIP.UA({
    sockets: [socket],
    connection_recovery_min_interval: reconnect.min,
    connection_recovery_max_interval: reconnect.max,
    uri: `sip:${ramal}@${domain}`,
    authorization_user: username,
    password,
    session_timers: false,
    user_agent: userAgent,
    register_expires: 120,
  })
  const speaker = createSpeaker()
  let session: RTCSession | undefined
  const parking = createParking()
  /** Sessions of the call that is lost, which another one replaces. */
  const broken = new Set<RTCSession>()
  const dialogs = new WeakMap<RTCSession, Dialog>()
  let stopQuality: (() => void) | undefined

  agent.on('connecting', () => setPhone({ registration: 'connecting' }))
  agent.on('registered', () => {
    setPhone({ registration: 'ready' })
    recovery.onConnected()
  })
  agent.on('unregistered', () => setPhone({ registration: 'connecting' }))
  agent.on('disconnected', () => {
    setPhone({ registration: 'connecting' })
    recovery.onDisconnected()
    loseCall()
  })
  agent.on('registrationFailed', ({ response }: { response: IncomingResponse | null }) => {
    const displacedBy = response?.getHeader(displacedHeader)
    setPhone({ registration: displacedBy === undefined ? 'failed' : 'displaced', displacedBy })
    // The call of a displaced phone goes on.
    if (displacedBy !== undefined) recovery.onConnected()
    renew()
  })
  agent.on('newRTCSession', (event: IncomingRTCSessionEvent | OutgoingRTCSessionEvent) => {
    if (event.originator === 'remote') ring(event as IncomingRTCSessionEvent)
  })

  function ring({ session: incoming, request }: IncomingRTCSessionEvent) {
    if (session || recovery.isOn()) {
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
    setPhone({ lastCause: undefined, lostNumber: undefined, microphone: undefined, call })
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
      if (!recovery.isOn()) update({ state: 'talking', answeredAt: call.answeredAt ?? Date.now() })
      watchSoundPath(started.connection, {
        onDoubt: socket.probe,
        onBroken: () => session === started && loseCall(),
      })
      stopQuality?.()
      stopQuality = measureQuality(
        started.connection,
        (quality) => !phoneState().call?.isHeld && update({ quality }),
      )
    })
    started.on('getusermediafailed', (error) => setPhone({ microphone: microphoneProblem(error) }))
    started.on('hold', () => update({ isHeld: true, quality: undefined }))
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
    parking.onOver(ended)
    if (session !== ended || recovery.isOn()) return
    if (cause === JsSIP.C.causes.CONNECTION_ERROR && loseCall()) return
    if (parking.current()) return unpark()
    clear()
    setPhone({ lastCause: cause })
    setTimeout(() => {
      if (phoneState().lastCause === cause) setPhone({ lastCause: undefined })
    }, causeMs)
  }

  function clear() {
    if (session) broken.add(session)
    session = undefined
    endBroken()
    stopQuality?.()
    stopRinging()
    speaker.listenTo(undefined)
    setPhone({ call: undefined })
  }

  /** The connection of a call, or the path of its sound, broke. False if there is no call to come back to. */
  function loseCall(): boolean {
    if (recovery.isOn()) {
      recovery.retry()
      return true
    }
    const kept = keptNow()
    if (kept) {
      takeParked()
      recovery.begin(kept)
    } else if (session) end(session)
    return kept !== undefined
  }

  /** If there are two calls, the one on hold: its other side did not choose to be left. */
  function keptNow(): KeptCall | undefined {
    const parked = parking.current()
    return parked ? keptOf(parked.session, parked.call) : keptOf(session, phoneState().call)
  }

  function keptOf(one: RTCSession | undefined, call: PhoneCall | undefined): KeptCall | undefined {
    const dialog = one && dialogs.get(one)
    return dialog && call?.state === 'talking' ? { ramal, dialog, call } : undefined
  }

  function takeParked() {
    const parked = parking.take()
    if (!parked) return
    end(session)
    session = parked.session
  }

  const recovery = createRecovery({
    invite({ dialog, call }) {
      if (session) broken.add(session)
      const started = agent.call(`sip:${ramal}@${domain}`, {
        ...options(),
        extraHeaders: [replacesHeader(dialog)],
      })
      follow(started, { ...call, state: 'returning', quality: undefined })
      if (call.isMuted) started.on('sending', () => started.mute({ audio: true }))
      if (call.isHeld) started.on('confirmed', () => started.hold())
      // Not before: the service would take the end of the old leg for that of the call.
      started.on('confirmed', endBroken)
      return started
    },
    onLost: (call) => setPhone({ call: { ...call, state: 'returning', quality: undefined } }),
    onReturned: () => setCall({ state: 'talking' }),
    onOver(call) {
      clear()
      setPhone({ lostNumber: call.number })
      hangUpAtService(call)
    },
  })

  function endBroken() {
    for (const one of broken) if (one !== session) end(one)
    broken.clear()
  }

  function end(one: RTCSession | undefined) {
    if (one && !one.isEnded()) one.terminate()
  }

  function onLeave() {
    const kept = recovery.lost() ?? keptNow()
    if (kept) keepCall(kept)
  }

  const options = () => ({
    mediaConstraints: audioConstraints() as { audio: boolean; video: boolean },
    pcConfig: { iceServers },
  })

  /** D400: without a microphone the call goes on ringing, so that it can be answered once there is one. */
  function answer() {
    const ringing = session
    const { call } = phoneState()
    if (!ringing || call?.state !== 'ringing') return
    stopRinging()
    setPhone({ microphone: undefined, call: { ...call, state: 'connecting' } })
    answerWithMicrophone(ringing, options()).catch((error: unknown) => {
      if (session !== ringing) return
      setPhone({ microphone: microphoneProblem(error), call })
      startRinging(describe(call.number), answer)
    })
  }

  function dial(number: string) {
    if (session || recovery.isOn()) return
    const digits = number.replace(/[^\d+*#]/g, '')
    follow(agent.call(`sip:${digits}@${domain}`, options()), newCall('out', digits))
  }

  function unpark() {
    const parked = parking.take()
    if (!parked) return
    session = parked.session
    setPhone({ call: { ...parked.call, isHeld: true } })
    speaker.listenTo(session)
    session.unhold()
  }

  window.addEventListener('pagehide', onLeave)
  window.addEventListener('online', socket.probe)
  agent.start()
  setPhone({ registration: 'connecting' })
  const kept = takeKeptCall(ramal)
  if (kept) recovery.begin(kept)

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
      if (call && recovery.isOn()) {
        recovery.cancel()
        clear()
        hangUpAtService(call)
      } else session?.terminate(call?.state === 'ringing' ? { status_code: 486 } : undefined)
    },
    mute: () => session?.mute({ audio: true }),
    unmute: () => session?.unmute({ audio: true }),
    hold: () => session?.hold(),
    resume: () => session?.unhold(),
    press: (key: string) => session?.sendDTMF(key, { transportType: JsSIP.C.DTMF_TRANSPORT.RFC2833 }),
    /** Attended transfer: holds this call and dials a third party. */
    consult(number: string) {
      const { call } = phoneState()
      if (!session || parking.current() || call?.state !== 'talking') return
      parking.park(session, call)
      session = undefined
      dial(number)
    },
    connectParked: (onFailed: () => void) => session && parking.connect(session, onFailed),
    stop() {
      window.removeEventListener('pagehide', onLeave)
      window.removeEventListener('online', socket.probe)
      recovery.cancel()
      stopRinging()
      agent.stop()
      setPhone({ registration: 'off', call: undefined, parked: undefined })
    },
  }
}
export type Agent = ReturnType<typeof createAgent>
