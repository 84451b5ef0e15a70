/** Calls: one end each, no phone left in one that is over, and what was acknowledged about them is true. */
import { entriesOf, type FinalState, type History, type ShownCall, settledAt } from '../history.ts'
import { createFindings, type Violation } from '../violation.ts'

/** How long after an acknowledged hang-up the call may go on: its node may be cut off, and is fenced by then. */
const hangUpWithinMs = 45_000
/** The same when there are no faults; a notice may be lost all the same. */
const promptWithinMs = 5_000

/** Exactly one record and one end for every call that was acknowledged, and one end for every other call that is listed. */
export function checkEnds(history: History): Violation[] {
  const { found, expect } = createFindings('one end')
  const finals = entriesOf(history, 'final')
  for (const { account, calls, feed } of finals) {
    const hangups = countBy(
      feed.filter(({ type }) => type === 'channel-hangup'),
      ({ subject }) => subject,
    )
    const records = countBy(calls, ({ id }) => id)
    for (const call of calls) {
      const { id } = call
      expect(records.get(id) === 1, () => `call ${id} of ${account} is listed ${records.get(id)} times`)
      expect(isOver(call), () => `call ${id} of ${account} has no end: ${call.status}`)
      const ends = hangups.get(id) ?? 0
      expect(ends === 1, () => `call ${id} of ${account} has ${ends} terminal events`)
    }
    for (const id of hangups.keys())
      expect(records.has(id), () => `a terminal event of call ${id}, which is not listed in ${account}`)
  }
  for (const { calls } of entriesOf(history, 'phones in calls'))
    for (const id of calls) expect(false, () => `a phone is still in call ${id}`)
  return found
}

function isOver({ endedAt, cause, status }: ShownCall): boolean {
  const isLive = ['queued', 'ringing', 'connecting', 'answered'].includes(status)
  return endedAt !== null && cause !== null && !isLive
}

/** A write that was acknowledged is there in the end. */
export function checkAcknowledged(history: History): Violation[] {
  const { found, expect } = createFindings('acknowledged writes')
  const finals = new Map(entriesOf(history, 'final').map((final) => [final.account, final]))
  const listed = new Map(
    [...finals.values()].flatMap(({ account, calls }) =>
      calls.map((call) => [`${account} ${call.id}`, call] as const),
    ),
  )
  for (const { account, id, key, extension, status } of entriesOf(history, 'place')) {
    if (status !== 200) continue
    const call = listed.get(`${account} ${id}`)
    expect(call !== undefined, () => `call ${id} of ${account} was acknowledged and is not listed`)
    if (!call) continue
    expect(call.from === extension && call.key === key, () => `call ${id} is not the one that was asked for`)
  }
  for (const { account, id, amount, status } of entriesOf(history, 'charge')) {
    if (status !== 200) continue
    const charge = finals.get(account)?.charges.find((one) => one.id === id)
    expect(charge?.amount === amount, () => `charge ${id} of ${account} was acknowledged and is not listed`)
  }
  for (const { account, second, status } of entriesOf(history, 'transfer')) {
    if (status !== 200) continue
    expect(
      listed.has(`${account} ${second}`),
      () => `the second call ${second} of a transfer is not listed in ${account}`,
    )
  }
  for (const final of finals.values())
    for (const text of changesLost(history, final)) expect(false, () => text)
  return found
}

/**
 * The value of an extension is the last one acknowledged, or one whose request was not over by then. A request without an answer, or with 503,
 * may have changed it: the connection to the database may be lost after the commit (D101).
 */
function changesLost(history: History, { account, extensions }: FinalState): string[] {
  const changes = entriesOf(history, 'change').filter((change) => change.account === account)
  return extensions.flatMap(({ number, firstName }) => {
    const own = changes.filter(({ extension }) => extension === number)
    const last = own.filter(({ status }) => status === 200).at(-1)
    if (!last) return []
    const allowed = own.filter((one) => (one.status < 400 || one.status >= 500) && one.at >= last.sentAt)
    if (allowed.some(({ value }) => value === firstName)) return []
    return [`extension ${number} of ${account} is ${firstName}, though ${last.value} was acknowledged`]
  })
}

/** Whatever is retried with a key is done once. A call that rang nowhere does not count: its key places it again (D501). */
export function checkIdempotency(history: History): Violation[] {
  const { found, expect } = createFindings('idempotency')
  const rang = new Set(entriesOf(history, 'rang').map(({ call }) => call))
  const isDone = ({ id, answeredAt }: ShownCall) => rang.has(id) || answeredAt !== null
  for (const { account, calls, charges } of entriesOf(history, 'final')) {
    const keyed = new Set(
      entriesOf(history, 'place').flatMap((one) => (one.account === account && one.isKeyed ? [one.key] : [])),
    )
    for (const [key, count] of countBy(calls.filter(isDone), ({ key }) => key ?? ''))
      expect(!keyed.has(key) || count === 1, () => `key ${key} of ${account} made ${count} calls`)
    for (const [key, count] of countBy(charges, ({ key }) => key ?? ''))
      expect(key === '' || count === 1, () => `key ${key} of ${account} made ${count} charges`)
  }
  const answers = new Map<string, string>()
  for (const attempt of entriesOf(history, 'place')) {
    if (!attempt.isKeyed || !isFinalAnswer(attempt)) continue
    const { account, key, status, code, id } = attempt
    const answer = status === 200 ? `call ${id}` : `refusal ${code ?? status}`
    const before = answers.get(`${account} ${key}`) ?? answer
    expect(before === answer, () => `key ${key} of ${account} was answered with ${before} and ${answer}`)
    answers.set(`${account} ${key}`, before)
  }
  return found
}

/** Whatever is sent again with its key gets this answer: not a failure, after which it is tried again, nor that the key is in use. */
function isFinalAnswer({ status, code }: { status: number; code?: string }): boolean {
  return status === 200 || (status >= 400 && status < 500 && code !== 'IDEMPOTENCY_KEY_IN_USE')
}

/** A call that was hung up ends soon; the service itself cancels no acknowledged call, and gives up none of a node that is well. */
export function checkHangUps(history: History): Violation[] {
  const { found, expect } = createFindings('hang-up')
  const calls = callsById(history)
  const settled = settledAt(history)
  const cancelled = new Set(entriesOf(history, 'cancelled').map(({ call }) => call))
  for (const { call: id, at, status } of entriesOf(history, 'hangup')) {
    cancelled.add(id)
    const endedAt = calls.get(id)?.endedAt
    if (status !== 200 || endedAt === undefined || endedAt === null) continue
    const within = at > settled ? promptWithinMs : hangUpWithinMs
    expect(endedAt <= at + within, () => `call ${id} was hung up at ${at} and ended at ${endedAt}`)
  }
  const undisturbed = new Set(entriesOf(history, 'undisturbed').map(({ call }) => call))
  for (const { id, startedAt, cause } of calls.values())
    expect(
      (startedAt <= settled && !undisturbed.has(id)) || cause !== 'RECOVERY_ON_TIMER_EXPIRE',
      () => `call ${id} was given up, though its node was well`,
    )
  for (const { id = '', status } of entriesOf(history, 'place')) {
    const isCancelled = status === 200 && calls.get(id)?.cause === 'ORIGINATOR_CANCEL'
    expect(!isCancelled || cancelled.has(id), () => `call ${id} was acknowledged, and nobody cancelled it`)
  }
  return found
}

/** A request that was refused for good has no effect that anybody pays for. */
export function checkRefusals(history: History): Violation[] {
  const { found, expect } = createFindings('refusals')
  const attempts = Map.groupBy(entriesOf(history, 'place'), ({ account, key }) => `${account} ${key}`)
  const byKey = new Map<string, ShownCall>(
    entriesOf(history, 'final').flatMap(({ account, calls }) =>
      calls.map((call) => [`${account} ${call.key}`, call] as const),
    ),
  )
  for (const [key, tried] of attempts) {
    const call = byKey.get(key)
    const isRefused = tried.every(({ status }) => status >= 400 && status < 500)
    if (!call || !isRefused) continue
    expect(call.answeredAt === null, () => `call ${call.id} was refused, and answered`)
    expect((call.price ?? 0) === 0, () => `call ${call.id} was refused, and paid`)
  }
  return found
}

export function callsById(history: History): Map<string, ShownCall> {
  return new Map(entriesOf(history, 'final').flatMap(({ calls }) => calls.map((call) => [call.id, call])))
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}
