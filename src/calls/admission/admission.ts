/** Stores new calls together with the credit they need: no call is placed that cannot be paid (D9, D41). */
import type { Credit, Grant, ReservationAnswer, ReservationRequest } from '../../billing/credit/credit.ts'
import type { CallGuard, LimitRefusal } from '../../limits/call-guard.ts'
import { createBatcher } from '../../store/batcher.ts'
import type { Database } from '../../store/database.ts'
import type { CallAnnouncer } from '../announcer.ts'
import { findRinging, isPayable, type NewCall, placingCalls } from '../calls-store.ts'
import { insertUnclaimed } from './unclaimed-store.ts'

export type CreditRefusal = 'insufficient' | 'no rate'

export type Admission =
  | { refused: CreditRefusal }
  /** D193, D194: a rule of the account. */
  | { refused: 'limit'; limit: LimitRefusal }
  /** D227: nobody waits for it any more. */
  | { refused: 'unwanted' }
  /** D149: `ringing` is the call of the same extension to the same number that was there first. */
  | { refused: 'duplicate'; ringing: string }
  /** `grant`: the credit reserved; undefined for a free call. */
  | { refused: undefined; grant: Grant | undefined }

type Deps = {
  db: Database
  announcer: CallAnnouncer
  credit: Pick<Credit, 'reserve' | 'reserveWhole'>
  guard: CallGuard
}

/** The call that stands in the way of another may end between two statements. */
const maxTries = 5

/**
 * Calls of one account wait for each other, since each changes its balance: many small transactions beside each other
 * would store fewer calls than one after the other does.
 */
const itemsPerStatement = 32

export function createCallAdmission({ db, announcer, credit, guard }: Deps) {
  /** The statement that places calls, alone. Undefined for a call that it did not store: that needs a transaction. */
  async function storeAtOnce(calls: NewCall[]): Promise<(Admission | undefined)[]> {
    const wanted = calls.filter(isWanted)
    const requests = wanted.filter(isPayable).map(toRequest)
    const { placed, grants } = await credit.reserveWhole(db, requests, placingCalls(wanted, false))
    announcer.changed([...placed])
    return calls.map(({ id }) => (placed.has(id) ? { refused: undefined, grant: grants.get(id) } : undefined))
  }

  /** `also` runs in the same transaction, if the calls are admitted. */
  async function storeInTransaction(
    calls: NewCall[],
    also?: (tx: Database) => Promise<void>,
  ): Promise<Admission[]> {
    const wanted = calls.filter(isWanted)
    if (wanted.length === 0) return calls.map(() => unwanted)
    const { admissions, receivers } = await db.transaction().execute((tx) => store(tx, wanted, also))
    announcer.publish(receivers)
    announcer.changed(
      wanted.filter((call) => admissions.get(call)?.refused === undefined).map(({ id }) => id),
    )
    return calls.map((call) => admissions.get(call) ?? unwanted)
  }

  /** The same statement, and what belongs in its transaction. */
  async function store(tx: Database, calls: NewCall[], also?: (tx: Database) => Promise<void>) {
    const admissions = new Map<NewCall, Admission>()
    const announced: NewCall[] = []
    let left = calls
    for (let tries = 0; left.length > 0; tries += 1) {
      if (tries === maxTries) throw new Error(`calls are neither stored nor ringing: ${left[0]?.id}`)
      const { stored, unstored, listened, refused } = await place(tx, left)
      for (const [call, admission] of [...stored, ...refused]) admissions.set(call, admission)
      announced.push(...[...stored.keys()].filter((call) => call.end || listened.has(call.id)))
      // Credit may be short only because the call that is repeated has reserved it.
      const mayRepeat = [...unstored, ...[...refused.keys()].filter((call) => isPoor(call, refused))]
      const ringing = mayRepeat.length > 0 ? await findRinging(tx, mayRepeat) : new Map<string, string>()
      for (const call of mayRepeat) {
        const first = ringing.get(call.id)
        if (first !== undefined) admissions.set(call, { refused: 'duplicate', ringing: first })
      }
      left = left.filter((call) => !admissions.has(call))
    }
    const receivers = await announcer.announceNew(tx, announced)
    const isAdmitted = calls.some((call) => admissions.get(call)?.refused === undefined)
    if (also && isAdmitted) await also(tx)
    return { admissions, receivers }
  }

  /** `unstored`: calls that ring already, or did when they were inserted. Those in no part are to be placed again. */
  async function place(tx: Database, calls: NewCall[]) {
    const { answers, placed, listened } = await credit.reserve(
      tx,
      calls.filter(isPayable).map(toRequest),
      (only) => placingCalls(only ? calls.filter(({ id }) => only.has(id)) : calls, true),
    )
    const stored = new Map<NewCall, Admission>()
    const refused = new Map<NewCall, Admission>()
    const handedOver: { call: NewCall; grant: Grant | undefined }[] = []
    const unstored = calls.filter(({ id }) => !placed.has(id) && !isRefusal(answers.get(id)))
    // They have reserved nothing after all: what they left may do for others of their account.
    const withMoreCredit = new Set(unstored.map(({ profile }) => profile.accountId))
    for (const call of calls) {
      const answer = answers.get(call.id)
      if (isRefusal(answer) && !withMoreCredit.has(call.profile.accountId)) {
        refused.set(call, refusalOf(call, answer))
      }
      if (!placed.has(call.id)) continue
      const grant = isRefusal(answer) ? undefined : answer
      stored.set(call, { refused: undefined, grant })
      if (call.handOver) handedOver.push({ call, grant })
    }
    await insertUnclaimed(tx, handedOver)
    return { stored, unstored, refused, listened }
  }

  function refusalOf(call: NewCall, answer: Exclude<ReservationAnswer, Grant>): Admission {
    if (typeof answer !== 'object') return { refused: answer }
    return { refused: 'limit', limit: guard.reached(call.profile.accountId, call.ceilings, answer) }
  }

  // Batched: calls placed at the same moment share statements.
  const admitAtOnce = createBatcher(storeAtOnce, { itemsPerStatement })
  const admitInTransaction = createBatcher((calls: NewCall[]) => storeInTransaction(calls), {
    itemsPerStatement,
  })

  /** `also` runs in the same transaction, if the call is admitted. */
  async function admit(given: NewCall, also?: (tx: Database) => Promise<void>): Promise<Admission> {
    const call = await check(given)
    if ('refused' in call) return call
    if (also) return (await storeInTransaction([call], also))[0] ?? unwanted
    const needsTransaction = call.handOver ?? call.end
    const admission = needsTransaction ? undefined : await admitAtOnce(call)
    return admission ?? (await admitInTransaction(call))
  }

  /** The call with the daily ceilings of its account (D193), unless the destination is not allowed (D194). */
  async function check(call: NewCall): Promise<NewCall | Extract<Admission, { refused: 'limit' }>> {
    if (!isPayable(call)) return call
    const found = await guard.check({ accountId: call.profile.accountId, number: call.to })
    return 'rule' in found ? { refused: 'limit', limit: found } : { ...call, ceilings: found }
  }

  return { admit }
}
export type CallAdmission = ReturnType<typeof createCallAdmission>

const unwanted: Admission = { refused: 'unwanted' }

/** While the call waited for its turn its client may have left. */
function isWanted(call: NewCall): boolean {
  return call.isWanted?.() !== false
}

function toRequest({ id, profile, to, ceilings }: NewCall): ReservationRequest {
  return { callId: id, accountId: profile.accountId, destination: to, ceilings }
}

function isRefusal(answer: ReservationAnswer | undefined): answer is Exclude<ReservationAnswer, Grant> {
  return answer !== undefined && !(typeof answer === 'object' && 'rate' in answer)
}

/** D149: placed over the API, not allowed to ring beside an equal call, and without credit. */
function isPoor(call: NewCall, refused: Map<NewCall, Admission>): boolean {
  return call.allowsDuplicate === false && refused.get(call)?.refused === 'insufficient'
}
