/** An event that never happened, with the times of now: its other values are the examples of the payload's schema. */
import type { EventType } from '../../../contract/webhooks/events.ts'
import { webhookPayloads } from '../../../contract/webhooks/webhook-payloads.ts'
import { plusSeconds } from '../../../kit/clock.ts'
import { defined } from '../../../kit/defined.ts'
import { uuidv7 } from '../../../kit/ids.ts'
import { localTime } from '../../../webhooks/payload.ts'
import { exampleOf } from './example.ts'

const talkSeconds = 51
const ringSeconds = 9

/** The number of the event among those of its call, where a webhook lists all types. */
const sequences: Partial<Record<EventType, number>> = {
  'channel-create': 1,
  'channel-ringing': 2,
  'channel-answer': 3,
  'channel-transfer': 4,
  'channel-hangup': 4,
  'recording-ready': 5,
  'recording-lost': 5,
  'call-updated': 6,
}
const isUnanswered = (type: EventType) => type === 'channel-create' || type === 'channel-ringing'

type Body = Record<string, unknown> & { id: string; sequence: number }

export function makeUpEvent(type: EventType, now: Date, metadata: string | undefined): Body {
  const example = exampleOf(webhookPayloads[type]) as Record<string, unknown>
  const id = uuidv7(now)
  const made = {
    eventType: type,
    id,
    sequence: sequences[type] ?? 1,
    ...timesOf(type, now, String(example.timezone)),
    recordUrl: type === 'recording-lost' ? '' : linkOf(example, id),
    ...(type === 'charge-paid' && { refundedAt: null }),
    ...defined({ metadata: metadata === undefined ? undefined : JSON.parse(metadata) }),
  }
  // Only what the payload of this type has.
  const fields = Object.entries(made).filter(([name]) => name in example)
  return { ...example, ...Object.fromEntries(fields) } as Body
}

/** The example's link, to the recording of the call with this id. */
function linkOf(example: Record<string, unknown>, id: string): string {
  return String(example.recordUrl ?? '').replace(String(example.id), id)
}

function timesOf(type: EventType, now: Date, timeZone: string): Record<string, string> {
  const answered = plusSeconds(now, -talkSeconds)
  return {
    startedAt: localTime(plusSeconds(answered, -ringSeconds), timeZone),
    answeredAt: isUnanswered(type) ? '' : localTime(answered, timeZone),
    endedAt: localTime(now, timeZone),
    at: now.toISOString(),
    paidAt: now.toISOString(),
    ...(type === 'charge-refunded' && { refundedAt: now.toISOString() }),
  }
}
