/** Events: in causal order and without gaps in the feed, and each webhook delivered or dead with a reason. */
import {
  entriesOf,
  type FeedEvent,
  type History,
  type ReceivedWebhook,
  type ShownDelivery,
  settledAt,
} from '../history.ts'
import { createFindings, type Violation } from '../violation.ts'
import { callsById } from './calls.ts'

/** The order in which the events of a call may come; each at most once. */
const rank: Record<string, number> = {
  'channel-create': 0,
  'channel-ringing': 1,
  'channel-answer': 2,
  'channel-transfer': 3,
  'channel-hangup': 4,
  'recording-ready': 5,
  'recording-lost': 5,
}

const isOfCall = ({ type }: { type: string }) => type in rank

/** The events of a call have the numbers 1, 2, 3 in the order of the feed, and come in causal order. */
export function checkOrder(history: History): Violation[] {
  const { found, expect } = createFindings('event order')
  const calls = callsById(history)
  for (const { feed } of entriesOf(history, 'final')) {
    const byCall = Map.groupBy(feed.filter(isOfCall), ({ subject }) => subject)
    for (const [id, events] of byCall) {
      const sequences = events.map(({ sequence }) => sequence)
      const types = events.map(({ type }) => type)
      expect(
        sequences.every((sequence, index) => sequence === index + 1),
        () => `the events of call ${id} are numbered ${sequences}`,
      )
      expect(
        types.every((type, index) => index === 0 || comesAfter(type, types[index - 1] ?? '')),
        () => `the events of call ${id} come as ${types.join(', ')}`,
      )
      const call = calls.get(id)
      const isAnswered = call?.answeredAt !== null && call?.answeredAt !== undefined
      expect(
        types.includes('channel-answer') === isAnswered,
        () => `call ${id} is ${isAnswered ? '' : 'not '}answered, its events are ${types.join(', ')}`,
      )
    }
  }
  return found
}

function comesAfter(type: string, before: string): boolean {
  const isRepeatable = type === 'channel-transfer' && before === type
  return isRepeatable || (rank[type] ?? 0) > (rank[before] ?? 0)
}

/** A reader that goes on from its cursor sees every event once, and all that a reader from the beginning sees. */
export function checkFeed(history: History): Violation[] {
  const { found, expect } = createFindings('feed without gaps')
  const whole = new Map(entriesOf(history, 'final').map(({ account, feed }) => [account, feed]))
  for (const [account, feed] of whole)
    expect(isIncreasing(feed), () => `the cursors of the feed of ${account} do not increase`)
  const readers = Map.groupBy(entriesOf(history, 'feed'), ({ account, reader }) => `${account} ${reader}`)
  for (const [name, pages] of readers) {
    const account = pages[0]?.account ?? ''
    const last = pages.at(-1)?.cursor ?? 0
    const seen = pages.flatMap(({ events }) => events)
    expect(isIncreasing(seen), () => `${name} was shown an event twice, or an older one`)
    const cursors = new Set(seen.map(({ cursor }) => cursor))
    const missed = (whole.get(account) ?? []).filter(({ cursor }) => cursor <= last && !cursors.has(cursor))
    expect(missed.length === 0, () => `${name} missed ${missed.length} events, first ${say(missed[0])}`)
  }
  return found
}

function isIncreasing(events: readonly FeedEvent[]): boolean {
  return events.every(({ cursor }, index) => index === 0 || cursor > (events[index - 1]?.cursor ?? 0))
}

const say = (event: Pick<FeedEvent, 'type' | 'subject'> | undefined) => `${event?.type} of ${event?.subject}`

export function checkWebhooks(history: History): Violation[] {
  const { found, expect } = createFindings('webhooks')
  const received = Map.groupBy(entriesOf(history, 'webhook'), ({ integration }) => integration)
  const settled = settledAt(history)
  for (const { account, at, feed, integrations } of entriesOf(history, 'final')) {
    for (const { id, types, isOn, deliveries } of integrations) {
      const got = received.get(id) ?? []
      checkReceived(got, expect)
      const taken = got.filter(({ status }) => status >= 200 && status < 300)
      const accepted = new Set(taken.map(keyOf))
      // Accepted when there were no faults any more, and so long ago that its attempt is over: it counts as delivered by now.
      const overdue = new Set(taken.filter((one) => one.at > settled && one.at <= at - attemptMs).map(keyOf))
      const underWay = new Set(got.filter((one) => one.at > at - attemptMs).map(keyOf))
      const listed = new Map(deliveries.map((delivery) => [keyOf(delivery), delivery]))
      const waiting = firstWaiting(deliveries)
      for (const delivery of deliveries) {
        const isAccepted = accepted.has(keyOf(delivery))
        const isBehind = delivery.sequence > (waiting.get(delivery.subject) ?? Number.POSITIVE_INFINITY)
        const isUnderWay = underWay.has(keyOf(delivery)) && !overdue.has(keyOf(delivery))
        const problem = problemOf(delivery, { isAccepted, isBehind, isUnderWay, isOn, at })
        expect(problem === undefined, () => `${say(delivery)} for webhook ${id}: ${problem}`)
      }
      for (const event of feed.filter(({ type }) => types.includes(type)))
        expect(listed.has(keyOf(event)), () => `${say(event)} of ${account} has no delivery to webhook ${id}`)
      checkArrivalOrder(got, deliveries, expect)
    }
  }
  return found
}

type Expect = (holds: boolean, text: () => string) => void

const keyOf = (event: Pick<FeedEvent, 'type' | 'subject' | 'sequence'>) =>
  `${event.subject} ${event.sequence} ${event.type}`

/** By call: the number of its first event that is not settled. */
function firstWaiting(deliveries: readonly ShownDelivery[]): Map<string, number> {
  const first = new Map<string, number>()
  for (const { subject, sequence, status } of deliveries)
    if (status === 'pending') first.set(subject, Math.min(sequence, first.get(subject) ?? sequence))
  return first
}

/** A delivery is due for a moment before it is sent. */
const dueMs = 5_000

/** For so long at the most an attempt goes on, in which its delivery shows no result of it. */
const attemptMs = 45_000

type Surroundings = {
  isAccepted: boolean
  isBehind: boolean
  /** The receiver got it a moment ago, and had not accepted it before. */
  isUnderWay: boolean
  isOn: boolean
  at: number
}

/** A delivery has ended, or was tried and has a time for its next attempt. */
function problemOf(
  delivery: ShownDelivery,
  { isAccepted, isBehind, isUnderWay, isOn, at }: Surroundings,
): string | undefined {
  const { status, reason, attempts, lastError, nextAt } = delivery
  if (status === 'delivered') return isAccepted ? undefined : 'delivered, but the receiver accepted nothing'
  if (status === 'dead' || status === 'skipped') return reason ? undefined : `${status} without a reason`
  // One that waits behind an earlier event of its call has no time of its own.
  if (nextAt === null) return isBehind || !isOn ? undefined : 'waits, though those before it are settled'
  const isJustDue = nextAt <= at && nextAt > at - dueMs
  if (attempts === 0 && isOn && !isJustDue) return 'never tried'
  if (nextAt <= at - dueMs) return `due since ${nextAt}`
  return lastError === null && attempts > 0 && !isUnderWay ? 'pending without an error' : undefined
}

function checkReceived(got: readonly ReceivedWebhook[], expect: Expect) {
  const bodies = new Map<string, string>()
  for (const one of got) {
    expect(one.isSigned, () => `${one.message} has no valid signature`)
    const before = bodies.get(one.message) ?? one.body
    expect(before === one.body, () => `${one.message} came again with another body`)
    bodies.set(one.message, before)
  }
}

/** An event is sent when those before it are settled: accepted, or given up. */
function checkArrivalOrder(
  got: readonly ReceivedWebhook[],
  deliveries: readonly ShownDelivery[],
  expect: Expect,
) {
  const dead = new Set(deliveries.filter(({ status }) => status !== 'delivered').map(keyOf))
  const acceptedAt = new Map<string, number>()
  for (const one of got)
    if (one.status >= 200 && one.status < 300 && !acceptedAt.has(keyOf(one)))
      acceptedAt.set(keyOf(one), one.at)
  const firstAt = new Map<string, number>()
  for (const one of got) if (!firstAt.has(keyOf(one))) firstAt.set(keyOf(one), one.at)
  const byCall = Map.groupBy(deliveries, ({ subject }) => subject)
  for (const own of byCall.values()) {
    const ordered = own.toSorted((a, b) => a.sequence - b.sequence)
    for (const [index, later] of ordered.entries()) {
      const before = ordered[index - 1]
      const sentAt = firstAt.get(keyOf(later))
      if (!before || sentAt === undefined || dead.has(keyOf(before))) continue
      const takenAt = acceptedAt.get(keyOf(before))
      expect(takenAt !== undefined && takenAt <= sentAt, () => `${say(later)} was sent before ${say(before)}`)
    }
  }
}
