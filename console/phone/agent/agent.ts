/**
 * The SIP user agent of the browser phone (JsSIP): it registers, rings and dials. What JsSIP, the browser and the person do are
 * events of the phone (D590), whose effects come back to JsSIP.
 */
import JsSIP from 'jssip'
import type { IncomingResponse } from 'jssip/lib/SIPMessage'
import type { IncomingRTCSessionEvent, OutgoingRTCSessionEvent } from 'jssip/lib/UA'
import { takeKeptCall } from '../connection/kept-call.ts'
import { createPhoneSocket } from '../connection/socket.ts'
import type { MicrophoneProblem } from '../moves/phone.ts'
import type { PhoneEvent } from '../moves/phone-events.ts'
import { createPhoneMachine } from '../moves/phone-machine.ts'
import { answersByItself, audioConstraints } from '../sound/devices.ts'
import { createSpeaker } from '../sound/speaker.ts'
import { showPhone, userAgent } from '../state.ts'
import { createEffects, type DescribeCall } from './effects.ts'
import { createSessions, idHeader, userOf } from './sessions.ts'

/** What the service gives the phone for some minutes: to register with, and TURN servers with their credentials. */
export type Access = { domain: string; username: string; password: string; iceServers: RTCIceServer[] }

/** Set on calls that were placed over the API: the phone rings first. */
const integratedHeader = 'X-Api4comintegratedcall'
/** D413: names the phone that took the place of this one. */
const displacedHeader = 'X-Displaced-By'
/** Seconds between attempts to connect. */
const reconnect = { min: 1, max: 4 }

/** Same origin as the page: what brought the page brings the calls. */
const socketUrl = () => `${window.location.origin.replace(/^http/, 'ws')}/sip`

type Settings = {
  ramal: string
  access: Access
  describe: DescribeCall
  renew: () => void
}

export function createAgent({ ramal, access, describe, renew }: Settings) {
  const { domain, username, password } = access
  let { iceServers } = access
  let onNotConnected = () => {}
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
  const options = () => ({
    mediaConstraints: audioConstraints() as { audio: boolean; video: boolean },
    pcConfig: { iceServers },
  })

  const dispatch = (event: PhoneEvent) => machine.dispatch(event)
  const speaker = createSpeaker()
  const sessions = createSessions({ dispatch, onDoubt: socket.probe, speaker })
  const effects = createEffects({
    ramal,
    sessions,
    speaker,
    invite: (number, call) => agent.call(`sip:${number}@${domain}`, { ...options(), ...call }),
    options,
    describe,
    onNotConnected: () => onNotConnected(),
    renew,
    stopAgent: () => agent.stop(),
    dispatch,
  })
  const machine = createPhoneMachine({ freshSession: sessions.fresh, run: effects.run, onChange: showPhone })

  agent.on('connecting', () => dispatch({ type: 'connecting' }))
  agent.on('registered', () => dispatch({ type: 'registered' }))
  agent.on('unregistered', () => dispatch({ type: 'connecting' }))
  agent.on('disconnected', () => dispatch({ type: 'disconnected' }))
  agent.on('registrationFailed', ({ response }: { response: IncomingResponse | null }) =>
    dispatch({ type: 'registrationFailed', displacedBy: response?.getHeader(displacedHeader) }),
  )
  agent.on('newRTCSession', (event: IncomingRTCSessionEvent | OutgoingRTCSessionEvent) => {
    if (event.originator === 'remote') ring(event as IncomingRTCSessionEvent)
  })

  function ring({ session: incoming, request }: IncomingRTCSessionEvent) {
    const session = sessions.fresh()
    sessions.add(session, incoming)
    const isPlaced = request.getHeader(integratedHeader) !== undefined
    dispatch({
      type: 'incoming',
      session,
      number: incoming.remote_identity.uri.user,
      id: request.getHeader(idHeader),
      isAnsweredByItself: isPlaced && answersByItself(),
      isPlaced,
      transferredBy: userOf(request.getHeader('Referred-By')),
    })
  }

  const onLeave = () => dispatch({ type: 'left' })
  window.addEventListener('pagehide', onLeave)
  window.addEventListener('online', socket.probe)
  agent.start()
  dispatch({ type: 'started', kept: takeKeptCall(ramal) })

  return {
    renew(next: Access) {
      iceServers = next.iceServers
      agent.set('authorization_user', next.username)
      agent.set('password', next.password)
      agent.register()
    },
    answer: () => dispatch({ type: 'answer' }),
    dial: (number: string) => dispatch({ type: 'dial', number }),
    hangUp: () => dispatch({ type: 'hangUp' }),
    mute: () => dispatch({ type: 'mute' }),
    unmute: () => dispatch({ type: 'unmute' }),
    hold: () => dispatch({ type: 'hold' }),
    resume: () => dispatch({ type: 'resume' }),
    press: (key: string) => dispatch({ type: 'press', key }),
    /** Attended transfer: holds this call and dials a third party. */
    consult: (number: string) => dispatch({ type: 'consult', number }),
    /** Connects the call on hold with the one that is talked in; this phone leaves both. */
    connectParked(onFailed: () => void) {
      onNotConnected = onFailed
      dispatch({ type: 'connect' })
    },
    holdAndAnswer: () => dispatch({ type: 'holdAndAnswer' }),
    refuseWaiting: () => dispatch({ type: 'refuseWaiting' }),
    ignoreWaiting: () => dispatch({ type: 'ignoreWaiting' }),
    swap: () => dispatch({ type: 'swap' }),
    setUndisturbed: (isOn: boolean) => dispatch({ type: 'disturb', isAllowed: !isOn }),
    /** The microphone was tried outside a call. */
    showMicrophone: (problem: MicrophoneProblem | undefined) => dispatch({ type: 'microphone', problem }),
    closeMessage: () => dispatch({ type: 'lostRead' }),
    stop() {
      window.removeEventListener('pagehide', onLeave)
      window.removeEventListener('online', socket.probe)
      dispatch({ type: 'stopped' })
    },
  }
}
export type Agent = ReturnType<typeof createAgent>
