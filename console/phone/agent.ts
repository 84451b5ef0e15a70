/** The SIP user agent of the browser phone (JsSIP): registers, rings, dials, and follows one call at a time. */
import JsSIP from 'jssip'
import type { RTCSession } from 'jssip/lib/RTCSession'
import type { IncomingRTCSessionEvent, OutgoingRTCSessionEvent } from 'jssip/lib/UA'
import { answersByItself, audioConstraints, chosenSpeaker } from './devices.ts'
import { measureQuality } from './quality.ts'
import { startRinging, stopRinging } from './ringer.ts'
import { phoneState, setCall, setPhone, userAgent } from './state.ts'

export type Credential = { domain: string; username: string; password: string }

/** Set on calls that were placed over the API: the phone rings first. */
const integratedHeader = 'X-Api4comintegratedcall'
const causeMs = 6_000

/** Same origin as the page: what brought the page brings the calls. */
const socketUrl = () => `${window.location.origin.replace(/^http/, 'ws')}/sip`

type Settings = {
  ramal: string
  credential: Credential
  describe: (number: string) => string
  renew: () => void
}

export function createAgent({ ramal, credential, describe, renew }: Settings) {
  const { domain, username, password } = credential
  const agent = new JsSIP.UA({
    sockets: [new JsSIP.WebSocketInterface(socketUrl())],
    uri: `sip:${ramal}@${domain}`,
    authorization_user: username,
    password,
    session_timers: false,
    user_agent: userAgent,
    register_expires: 120,
  })
  const speaker = new Audio()
  speaker.autoplay = true
  let session: RTCSession | undefined
  let stopQuality: (() => void) | undefined
  /** A call that this page placed itself is answered without another click. */
  let expectedUntil = 0

  agent.on('connecting', () => setPhone({ registration: 'connecting' }))
  agent.on('registered', () => setPhone({ registration: 'ready' }))
  agent.on('unregistered', () => setPhone({ registration: 'connecting' }))
  agent.on('disconnected', () => setPhone({ registration: 'connecting' }))
  agent.on('registrationFailed', () => {
    setPhone({ registration: 'failed' })
    renew()
  })
  agent.on('newRTCSession', (event: IncomingRTCSessionEvent | OutgoingRTCSessionEvent) => {
    if (event.originator === 'remote') ring(event as IncomingRTCSessionEvent)
  })

  function ring({ session: incoming, request }: IncomingRTCSessionEvent) {
    if (session) {
      incoming.terminate({ status_code: 486 })
      return
    }
    const number = incoming.remote_identity.uri.user
    follow(incoming, 'in', number)
    const isPlaced = request.getHeader(integratedHeader) !== undefined
    const isExpected = isPlaced && Date.now() < expectedUntil
    if (isExpected || (isPlaced && answersByItself())) answer()
    else startRinging(describe(number), answer)
  }

  function follow(started: RTCSession, direction: 'in' | 'out', number: string) {
    session = started
    setPhone({
      lastCause: undefined,
      call: {
        direction,
        number,
        state: direction === 'in' ? 'ringing' : 'connecting',
        answeredAt: undefined,
        isMuted: false,
        isHeld: false,
        quality: undefined,
      },
    })
    if (started.connection) listen(started.connection)
    started.on('peerconnection', ({ peerconnection }) => listen(peerconnection))
    started.on('accepted', stopRinging)
    started.on('confirmed', () => {
      stopRinging()
      setCall({ state: 'talking', answeredAt: Date.now() })
      stopQuality = measureQuality(started.connection, (quality) => setCall({ quality }))
    })
    started.on('hold', () => setCall({ isHeld: true }))
    started.on('unhold', () => setCall({ isHeld: false }))
    started.on('muted', () => setCall({ isMuted: true }))
    started.on('unmuted', () => setCall({ isMuted: false }))
    started.on('ended', ({ cause }) => forget(started, cause))
    started.on('failed', ({ cause }) => forget(started, cause))
  }

  function listen(connection: RTCPeerConnection) {
    connection.addEventListener('track', ({ track }) => {
      speaker.srcObject = new MediaStream([track])
      const chosen = chosenSpeaker()
      if (chosen !== '' && 'setSinkId' in speaker) speaker.setSinkId(chosen).catch(() => {})
    })
  }

  function forget(ended: RTCSession, cause: string) {
    if (session !== ended) return
    session = undefined
    stopQuality?.()
    stopRinging()
    speaker.srcObject = null
    setPhone({ call: undefined, lastCause: cause })
    setTimeout(() => {
      if (phoneState().lastCause === cause) setPhone({ lastCause: undefined })
    }, causeMs)
  }

  const options = () => ({ mediaConstraints: audioConstraints() as { audio: boolean; video: boolean } })

  function answer() {
    stopRinging()
    setCall({ state: 'connecting' })
    session?.answer(options())
  }

  agent.start()
  setPhone({ registration: 'connecting' })

  return {
    answer,
    renew(next: Credential) {
      agent.set('authorization_user', next.username)
      agent.set('password', next.password)
      agent.register()
    },
    dial(number: string) {
      if (session) return
      const digits = number.replace(/[^\d+*#]/g, '')
      const started = agent.call(`sip:${digits}@${domain}`, options())
      follow(started, 'out', digits)
    },
    /** The next call that the service rings here was placed by this page. */
    expectCall() {
      expectedUntil = Date.now() + 20_000
    },
    hangUp() {
      const state = phoneState().call?.state
      session?.terminate(state === 'ringing' ? { status_code: 486 } : undefined)
    },
    mute: () => session?.mute({ audio: true }),
    unmute: () => session?.unmute({ audio: true }),
    hold: () => session?.hold(),
    resume: () => session?.unhold(),
    press: (key: string) => session?.sendDTMF(key, { transportType: JsSIP.C.DTMF_TRANSPORT.RFC2833 }),
    stop() {
      stopRinging()
      agent.stop()
      setPhone({ registration: 'off', call: undefined })
    },
  }
}
export type Agent = ReturnType<typeof createAgent>
