/** D590: what an event makes of the phone, and what is to be done. Late and repeated events change nothing. Pure. */
import {
  answer,
  changeCall,
  confirm,
  connect,
  connectTo,
  consult,
  dial,
  end,
  hangUp,
  ring,
  ringOn,
  still,
} from './call-moves.ts'
import { followUps } from './follow-ups.ts'
import { offPhone, type Phone, type SessionId } from './phone.ts'
import type {
  CallCommand,
  Effect,
  PageEvent,
  PersonEvent,
  PhoneEvent,
  SessionEvent,
  Step,
  TimerName,
} from './phone-events.ts'
import {
  beginReturn,
  endPause,
  finishReturn,
  giveUp,
  inviteIfPossible,
  isReturning,
  keptLeg,
  lose,
} from './return-moves.ts'
import { holdAndAnswer, ignoreWaiting, refuseWaiting, swap } from './waiting-moves.ts'

/** `fresh`: the number of the session that the event may start. */
export function movePhone(phone: Phone, event: PhoneEvent, fresh: SessionId): Step {
  const step = moved(phone, event, fresh)
  return { phone: step.phone, effects: [...step.effects, ...followUps(phone, step.phone)] }
}

function moved(phone: Phone, event: PhoneEvent, fresh: SessionId): Step {
  if (event.type === 'incoming') return ring(phone, event)
  if (phone.registration === 'off') return event.type === 'started' ? start(event) : still(phone)
  if ('session' in event) return movedBySession(phone, event, fresh)
  return movedByPage(phone, event, fresh)
}

/** After a reload the page comes back to the call that it had. */
function start({ kept }: Extract<PageEvent, { type: 'started' }>): Step {
  const phone: Phone = { ...offPhone, registration: 'connecting' }
  return kept ? beginReturn(phone, { ...kept, session: undefined }, 'waiting') : still(phone)
}

function movedByPage(phone: Phone, event: PageEvent | PersonEvent, fresh: SessionId): Step {
  switch (event.type) {
    case 'connecting':
      return still({ ...phone, registration: 'connecting' })
    case 'registered':
      return inviteIfPossible({ ...phone, registration: 'ready', isConnected: true }, fresh)
    case 'registrationFailed':
      return failRegistration(phone, event.displacedBy, fresh)
    case 'disconnected':
      return lose({ ...phone, registration: 'connecting', isConnected: false }, fresh)
    case 'timer':
      return runTimer(phone, event.timer, fresh)
    case 'lostRead':
      return still({ ...phone, failed: undefined, lostNumber: undefined })
    case 'microphone':
      return still({ ...phone, microphone: event.problem })
    case 'left':
      return still(phone, keep(phone))
    case 'stopped':
      return still(offPhone, [{ type: 'stop' }])
    case 'answer':
      return answer(phone)
    case 'dial':
      return dial(phone, event.number, fresh)
    case 'hangUp':
      return hangUp(phone)
    case 'consult':
      return consult(phone, event.number, fresh)
    case 'connect':
      return still(phone, connect(phone))
    case 'holdAndAnswer':
      return holdAndAnswer(phone)
    case 'refuseWaiting':
      return refuseWaiting(phone)
    case 'ignoreWaiting':
      return still(ignoreWaiting(phone))
    case 'swap':
      return swap(phone)
    case 'disturb':
      return still({ ...phone, isUndisturbed: !event.isAllowed })
    case 'started':
      return still(phone)
    default:
      return still(phone, isReturning(phone) ? [] : command(event, phone.front?.session))
  }
}

/** The call of a displaced phone goes on, and may come back (D413). */
function failRegistration(phone: Phone, displacedBy: string | undefined, fresh: SessionId): Step {
  const renew: Effect[] = [{ type: 'renewAccess' }]
  if (displacedBy === undefined) return still({ ...phone, registration: 'failed', displacedBy }, renew)
  const displaced: Phone = { ...phone, registration: 'displaced', displacedBy, isConnected: true }
  const step = inviteIfPossible(displaced, fresh)
  return still(step.phone, [...renew, ...step.effects])
}

function runTimer(phone: Phone, timer: TimerName, fresh: SessionId): Step {
  if (timer === 'retry') return endPause(phone, fresh)
  if (timer === 'cause') return still({ ...phone, lastCause: undefined })
  return isReturning(phone) ? giveUp(phone) : still(phone)
}

/** What is kept while the page is loaded again. */
function keep(phone: Phone): Effect[] {
  const kept = isReturning(phone) ? { dialog: phone.recovery.dialog, call: phone.front.call } : keptLeg(phone)
  return kept ? [{ type: 'keep', kept: { dialog: kept.dialog, call: kept.call } }] : []
}

function command(event: CallCommand, session: SessionId | undefined): Effect[] {
  if (session === undefined) return []
  if (event.type === 'press') return [{ type: 'press', session, key: event.key }]
  return [{ type: event.type === 'resume' ? 'unhold' : event.type, session }]
}

function movedBySession(
  phone: Phone,
  event: Exclude<SessionEvent, { type: 'incoming' }>,
  fresh: SessionId,
): Step {
  const { session } = event
  const isKnown = session === phone.front?.session || session === phone.parked?.session
  switch (event.type) {
    case 'sending':
      return still(phone, muteAgain(phone, session))
    case 'accepted':
      return still(event.id === undefined ? phone : changeCall(phone, session, { id: event.id }))
    case 'confirmed':
      return confirm(phone, event)
    case 'answerFailed':
      return still(ringOn(phone, event))
    case 'connectedTo':
      return still(connectTo(phone, event))
    case 'held':
      return still(changeCall(phone, session, { isHeld: true, quality: undefined }))
    case 'unheld':
      return still(changeCall(phone, session, { isHeld: false }))
    case 'muted':
    case 'unmuted':
      return still(changeCall(phone, session, { isMuted: event.type === 'muted' }))
    case 'measured':
      return still(phone.front?.call.isHeld ? phone : changeCall(phone, session, { quality: event.quality }))
    case 'soundFlows':
      return still(finishReturn(phone, session))
    case 'soundLost':
      return isKnown ? lose(phone, fresh) : still(phone)
    case 'over':
      return end(phone, event)
  }
}

/** The new leg of a call whose microphone was muted. */
function muteAgain({ front }: Phone, session: SessionId): Effect[] {
  return front?.session === session && front.call.isMuted ? [{ type: 'mute', session }] : []
}
