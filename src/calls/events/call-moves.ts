/** What the events of a call make of it. Late and repeated events change nothing. Pure. */
import type { CallStatus } from '../../contract/calls/calls.ts'
import type { CallEvent } from '../../engine/port.ts'
import type { CallSnapshot } from '../announcer.ts'
import { transitions, unansweredStatus } from '../call.ts'
import { storedQuality } from '../call-quality.ts'

export type EndedEvent = Extract<CallEvent, { type: 'ended' }>

/** A call as it is stored. */
export type StoredCall = CallSnapshot

/** The second call of a transfer (D282). */
export type TransferLink = Required<Pick<CallSnapshot, 'transfer_id' | 'transfer_to'>>

/** An event that changed the call, and the call after it. */
export type Step = { event: CallEvent; call: StoredCall & Partial<TransferLink> }

/** `linkOf`: undefined for a transfer that is stored already. */
export function stepsOf(
  stored: StoredCall,
  events: CallEvent[],
  linkOf: (second: string) => TransferLink | undefined,
): Step[] {
  const steps: Step[] = []
  let call = stored
  for (const event of events) {
    if (event.type === 'transferred') {
      const link = linkOf(event.to)
      if (link) steps.push({ event, call: { ...call, ...link } })
      continue
    }
    const next = moved(call, event)
    if (next) steps.push({ event, call: next })
    call = next ?? call
  }
  return steps
}

function moved(call: StoredCall, event: CallEvent): StoredCall | undefined {
  if (event.type === 'ended') return call.ended_at === null ? ended(call, event) : undefined
  if (event.type === 'transferred' || event.type === 'progress') return undefined
  const { to, from } = transitions[event.type]
  if (!(from as readonly CallStatus[]).includes(call.status)) return undefined
  return { ...call, status: to, answered_at: event.type === 'answered' ? event.at : call.answered_at }
}

function ended(call: StoredCall, event: EndedEvent): StoredCall {
  return {
    ...call,
    status: call.answered_at ? 'completed' : unansweredStatus(event.cause),
    ended_at: event.at,
    hangup_cause: event.cause,
    ended_by: endedBy(event),
    duration: call.answered_at ? talkSeconds(call.answered_at, event.at) : 0,
    recording: recordingState(event),
    quality: storedQuality(event.quality),
  }
}

/** D557: none for a call that no engine had, by which the process that placed it knows that it rang nowhere. */
function endedBy({ by, isNotTaken }: EndedEvent): StoredCall['ended_by'] {
  if (isNotTaken) return null
  return by === 'other' ? 'destination' : by
}

/** D519: a recording that could not be written is lost. */
function recordingState({ recording, unrecorded }: EndedEvent): StoredCall['recording'] {
  if (recording) return 'spooled'
  return unrecorded ? 'lost' : null
}

/** D14: whole seconds from the destination's answer to the end. */
function talkSeconds(answeredAt: Date, endedAt: Date): number {
  return Math.max(0, Math.floor((endedAt.getTime() - answeredAt.getTime()) / 1000))
}
