/**
 * The browser, JsSIP and the service as the phone of the console has them, as a model: sessions start, are answered and end, a
 * bell rings, timers run. It refuses effects that make no sense, such as ending a session that has ended.
 */
import { expect } from 'vitest'
import {
  type Dialog,
  type KeptCall,
  offPhone,
  type Phone,
  type SessionId,
} from '../../../console/phone/moves/phone.ts'
import type { Effect, OverEvent, PhoneEvent, TimerName } from '../../../console/phone/moves/phone-events.ts'
import { createPhoneMachine } from '../../../console/phone/moves/phone-machine.ts'

export type ModelSession = {
  kind: 'in' | 'out'
  state: 'invited' | 'accepted' | 'confirmed'
  /** The phone wants to answer, and waits for the microphone. */
  isAnswering: boolean
  /** The first session of its call: those that replace each other are legs of one call. */
  origin: SessionId
}

/** The numbers that the bell and the knocking are for, the session that is heard, and the one whose sound is measured. */
type Sound = {
  bell: string | undefined
  knock: string | undefined
  heard: SessionId | undefined
  measured: SessionId | undefined
}
const silence: Sound = { bell: undefined, knock: undefined, heard: undefined, measured: undefined }

export function createModelBrowser() {
  let phone: Phone = offPhone
  let fresh = 0
  const sessions = new Map<SessionId, ModelSession>()
  const origins = new Map<SessionId, SessionId>()
  /** By the first session of a call: the one that the service takes for its leg. */
  const legs = new Map<SessionId, SessionId>()
  /** Sessions that the phone ended. */
  const ended = new Set<SessionId>()
  const timers = new Set<TimerName>()
  let sound = silence
  let kept: KeptCall | undefined
  const effects: Effect[] = []
  let machine = openPage()

  function openPage() {
    phone = offPhone
    return createPhoneMachine({
      freshSession,
      run(effect) {
        effects.push(effect)
        perform(effect)
      },
      onChange(next) {
        phone = next
      },
    })
  }

  function freshSession() {
    fresh += 1
    return fresh
  }

  function perform(effect: Effect) {
    switch (effect.type) {
      case 'dial':
        return add(effect.session, 'out', effect.session)
      case 'return':
        return replace(effect.session, effect.dialog)
      case 'answer':
        expect(live(effect.session)).toMatchObject({ kind: 'in', state: 'invited', isAnswering: false })
        live(effect.session).isAnswering = true
        return
      case 'terminate':
        live(effect.session)
        ended.add(effect.session)
        return end(effect.session, 'other')
      case 'hold':
      case 'unhold':
      case 'mute':
      case 'unmute':
      case 'press':
        return void live(effect.session)
      case 'connect':
        expect([live(effect.parked).state, live(effect.talking).state]).toEqual(['confirmed', 'confirmed'])
        return
      case 'keep':
        kept = effect.kept
        return
      case 'stop':
        for (const session of sessions.keys()) end(session, 'other')
        return
      default:
        performFollowUp(effect)
    }
  }

  function performFollowUp(effect: Effect) {
    if (effect.type === 'ring') {
      expect(sound.bell).toBeUndefined()
      sound = { ...sound, bell: effect.number }
    } else if (effect.type === 'stopRinging') {
      expect(sound.bell).toBeDefined()
      sound = { ...sound, bell: undefined }
    } else if (effect.type === 'knock') {
      expect(sound.knock).toBeUndefined()
      sound = { ...sound, knock: effect.number }
    } else if (effect.type === 'stopKnocking') {
      expect(sound.knock).toBeDefined()
      sound = { ...sound, knock: undefined }
    } else if (effect.type === 'listen') sound = { ...sound, heard: effect.session }
    else if (effect.type === 'measure') sound = { ...sound, measured: effect.session }
    else if (effect.type === 'startTimer') {
      expect(timers).not.toContain(effect.timer)
      timers.add(effect.timer)
    } else if (effect.type === 'stopTimer') timers.delete(effect.timer)
  }

  function add(session: SessionId, kind: 'in' | 'out', origin: SessionId) {
    expect(origins.has(session)).toBe(false)
    origins.set(session, origin)
    sessions.set(session, { kind, state: 'invited', isAnswering: false, origin })
  }

  /** The service refuses to replace a leg that is no longer the call's. */
  function replace(session: SessionId, dialog: Dialog) {
    const replaced = Number(dialog.call_id)
    const origin = origins.get(replaced) ?? Number.NaN
    expect(legs.get(origin)).toBe(replaced)
    expect(phone.isConnected).toBe(true)
    add(session, 'out', origin)
  }

  function live(session: SessionId): ModelSession {
    const found = sessions.get(session)
    if (!found) throw new Error(`session ${session} is not there`)
    return found
  }

  function end(session: SessionId, by: OverEvent['by'], reason?: OverEvent['reason']) {
    sessions.delete(session)
    machine.dispatch({ type: 'over', session, cause: `by ${by}`, by, reason })
  }

  return {
    phone: () => phone,
    sessions,
    timers,
    sound: () => sound,
    effects,
    dispatch: (event: PhoneEvent) => machine.dispatch(event),
    isEndedByPhone: (session: SessionId) => ended.has(session),
    /** An INVITE of the service. */
    ring(isAnsweredByItself: boolean, isPlaced = false) {
      const session = freshSession()
      add(session, 'in', session)
      machine.dispatch({
        type: 'incoming',
        session,
        number: '1001',
        id: `call ${session}`,
        isAnsweredByItself,
        isPlaced,
      })
      return session
    },
    accept(session: SessionId) {
      live(session).state = 'accepted'
      machine.dispatch({ type: 'accepted', session, id: `call ${live(session).origin}` })
    },
    confirm(session: SessionId) {
      const { origin } = live(session)
      live(session).state = 'confirmed'
      legs.set(origin, session)
      const dialog = { call_id: String(session), local_tag: 'ours', remote_tag: 'theirs' }
      machine.dispatch({ type: 'confirmed', session, dialog, at: session })
    },
    end,
    /** Nothing is left of the page but the call that it kept. */
    reload() {
      kept = undefined
      machine.dispatch({ type: 'left' })
      sessions.clear()
      timers.clear()
      sound = silence
      machine = openPage()
      machine.dispatch({ type: 'started', kept })
    },
    fire(timer: TimerName) {
      timers.delete(timer)
      machine.dispatch({ type: 'timer', timer })
    },
  }
}
export type ModelBrowser = ReturnType<typeof createModelBrowser>
