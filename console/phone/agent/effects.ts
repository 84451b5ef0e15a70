/** Does what the phone wants done: with JsSIP, the sound of the browser, timers and the service. */
import JsSIP from 'jssip'
import type { AnswerOptions, RTCSession } from 'jssip/lib/RTCSession'
import { request } from '../../api.ts'
import { keepCall, replacesHeader } from '../connection/kept-call.ts'
import type { EndReason } from '../moves/end-reason.ts'
import type { SessionId } from '../moves/phone.ts'
import type { Effect, PhoneEvent, TimerName } from '../moves/phone-events.ts'
import type { CallChoice, CallNotice } from '../sound/call-notification.ts'
import { microphoneProblem } from '../sound/devices.ts'
import { measureQuality } from '../sound/quality.ts'
import { startKnocking, startRinging, stopRinging } from '../sound/ringer.ts'
import type { Speaker } from '../sound/speaker.ts'
import type { Sessions } from './sessions.ts'
import { answerWithMicrophone, callWithMicrophone } from './with-microphone.ts'

/** The words of a notification; of a second call (D601) they are others. */
export type DescribeCall = (number: string, isSecond: boolean) => CallNotice

type InviteOptions = { extraHeaders: string[]; mediaStream: MediaStream }

type Deps = {
  ramal: string
  sessions: Sessions
  speaker: Speaker
  /** Sends an INVITE to the number. */
  invite(number: string, options: InviteOptions): RTCSession
  /** Of a call that is answered. */
  options(): AnswerOptions
  describe: DescribeCall
  onNotConnected(): void
  renew(): void
  stopAgent(): void
  dispatch(event: PhoneEvent): void
}

export function createEffects(deps: Deps) {
  const { ramal, sessions, speaker, dispatch } = deps
  const timers = new Map<TimerName, ReturnType<typeof setTimeout>>()
  /** Sessions that start once their microphone is open. */
  const awaited = new Set<SessionId>()
  let stopQuality: (() => void) | undefined

  /** An exception inside an event of JsSIP would make it fail the session. */
  function run(effect: Effect) {
    try {
      perform(effect)
    } catch (error) {
      reportError(error)
    }
  }

  function perform(effect: Effect) {
    switch (effect.type) {
      case 'answer':
        return answer(effect.session)
      case 'dial':
        return start(effect.session, effect.number, [])
      case 'return':
        return start(effect.session, ramal, [replacesHeader(effect.dialog)])
      case 'terminate':
        return end(effect.session, effect.status)
      case 'hold':
      case 'unhold':
        return void sessions.get(effect.session)?.[effect.type]()
      case 'mute':
      case 'unmute':
        return sessions.get(effect.session)?.[effect.type]({ audio: true })
      case 'press':
        return press(effect.session, effect.key)
      case 'connect':
        return connect(effect.parked, effect.talking)
      case 'hangUpAtService':
        return hangUpAtService(effect.id)
      case 'keep':
        return keepCall(ramal, effect.kept)
      case 'renewAccess':
        return deps.renew()
      case 'stop':
        awaited.clear()
        return deps.stopAgent()
      case 'ring':
        return startRinging(deps.describe(effect.number, false), (choice) =>
          dispatch({ type: choice === 'refuse' ? 'hangUp' : 'answer' }),
        )
      case 'stopRinging':
        return stopRinging()
      case 'knock':
        return startKnocking(deps.describe(effect.number, true), chooseWaiting)
      case 'stopKnocking':
        return stopRinging()
      case 'listen':
        return speaker.listenTo(effect.session)
      case 'measure':
        return measure(effect.session)
      case 'startTimer':
        return startTimer(effect.timer, effect.ms)
      case 'stopTimer':
        return clearTimeout(timers.get(effect.timer))
    }
  }

  /** A click beside the buttons shows the page, and the person chooses there. */
  function chooseWaiting(choice: CallChoice) {
    if (choice === 'answer') dispatch({ type: 'holdAndAnswer' })
    else if (choice === 'refuse') dispatch({ type: 'refuseWaiting' })
  }

  function start(session: SessionId, number: string, extraHeaders: string[]) {
    awaited.add(session)
    callWithMicrophone((microphone) =>
      awaited.delete(session)
        ? invite(session, number, { extraHeaders, mediaStream: microphone })
        : undefined,
    ).catch((error: unknown) => {
      if (!awaited.delete(session)) return
      over(session, JsSIP.C.causes.USER_DENIED_MEDIA_ACCESS)
      dispatch({ type: 'microphone', problem: microphoneProblem(error) })
    })
  }

  function invite(session: SessionId, number: string, options: InviteOptions): RTCSession | undefined {
    try {
      const started = deps.invite(number, options)
      sessions.add(session, started)
      return started
    } catch (error) {
      over(session, JsSIP.C.causes.INTERNAL_ERROR, 'NORMAL_TEMPORARY_FAILURE')
      reportError(error)
      return undefined
    }
  }

  const over = (session: SessionId, cause: string, reason?: EndReason) =>
    dispatch({ type: 'over', session, cause, by: 'other', reason })

  function answer(session: SessionId) {
    const ringing = sessions.get(session)
    if (!ringing) return
    answerWithMicrophone(ringing, deps.options()).catch((error: unknown) =>
      dispatch({ type: 'answerFailed', session, problem: microphoneProblem(error) }),
    )
  }

  function end(session: SessionId, status: number | undefined) {
    if (awaited.delete(session)) return over(session, JsSIP.C.causes.CANCELED)
    const one = sessions.get(session)
    if (one && !one.isEnded()) one.terminate(status === undefined ? undefined : { status_code: status })
  }

  function press(session: SessionId, key: string) {
    const transportType = JsSIP.C.DTMF_TRANSPORT.RFC2833
    sessions.get(session)?.sendDTMF(key, { transportType })
  }

  function connect(parked: SessionId, talking: SessionId) {
    const replaces = sessions.get(talking)
    if (!replaces) return
    const eventHandlers = { requestFailed: deps.onNotConnected, failed: deps.onNotConnected }
    sessions.get(parked)?.refer(replaces.remote_identity.uri.toString(), { replaces, eventHandlers })
  }

  function measure(session: SessionId | undefined) {
    stopQuality?.()
    stopQuality = undefined
    const talking = sessions.get(session)
    if (!talking || session === undefined) return
    stopQuality = measureQuality(talking.connection, (quality) =>
      dispatch({ type: 'measured', session, quality }),
    )
  }

  function startTimer(timer: TimerName, ms: number) {
    clearTimeout(timers.get(timer))
    timers.set(
      timer,
      setTimeout(() => dispatch({ type: 'timer', timer }), ms),
    )
  }

  return { run }
}

function hangUpAtService(id: string) {
  void request('POST', '/calls/{id}/hangup', { path: { id } }).catch(() => {})
}
