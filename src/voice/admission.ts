/** Stores new calls together with the credit they need: no call is placed that cannot be paid (D9, D41). */
import type { Credit, Grant, ReservationRequest } from '../billing/credit/credit.ts'
import type { CallGuard, LimitRefusal } from '../limits/call-guard.ts'
import { createBatcher } from '../store/batcher.ts'
import type { Database } from '../store/database.ts'
import type { EventReceiver } from '../webhooks/events-store.ts'
import type { CallAnnouncer } from './announcer.ts'
import { findRinging, insertCalls, type NewCall, storingPaid } from './calls-store.ts'

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
  credit: Pick<Credit, 'reserve' | 'reserveStoring' | 'release'>
  guard: CallGuard
}

type Stored = { admissions: Map<NewCall, Admission>; receivers: EventReceiver[] }

/** The call that stands in the way of another may end between two statements. */
const maxTries = 5

/**
 * Calls of one account wait for each other, since each changes its balance: many small transactions beside each other
 * would store fewer calls than one after the other does.
 */
const itemsPerStatement = 32

export function createCallAdmission({ db, announcer, credit, guard }: Deps) {
  async function store(tx: Database, calls: NewCall[]): Promise<Stored> {
    const admissionOf = await reserve(tx, calls)
    const isAccepted = (call: NewCall) => admissionOf.get(call)?.refused === undefined
    const accepted = calls.filter(isAccepted)
    const grantOf = (call: NewCall) => {
      const admission = admissionOf.get(call)
      return admission && 'grant' in admission ? admission.grant : undefined
    }
    const { ringing, listened } = await insert(tx, accepted, grantOf)
    const duplicates = accepted.filter(({ id }) => ringing.has(id))
    const poor = calls.filter((call) => isGuarded(call) && admissionOf.get(call)?.refused === 'insufficient')
    if (duplicates.length > 0) await release(tx, duplicates)
    // Their credit may be short only because the call they repeat has reserved it.
    if (poor.length > 0) for (const found of await findRinging(tx, poor)) ringing.set(...found)
    for (const call of [...duplicates, ...poor]) {
      const first = ringing.get(call.id)
      if (first !== undefined) admissionOf.set(call, { refused: 'duplicate', ringing: first })
    }
    const receivers = await announcer.announceNew(
      tx,
      accepted.filter((call) => isAccepted(call) && (call.end || listened.has(call.id))),
    )
    return { admissions: new Map(calls.map((call) => [call, admissionOf.get(call) ?? free])), receivers }
  }

  /** The admissions of calls that must be paid. */
  async function reserve(tx: Database, calls: NewCall[]): Promise<Map<NewCall, Admission>> {
    const payable = calls.filter(isPayable)
    const grants = payable.length > 0 ? await credit.reserve(tx, payable.map(toRequest)) : []
    const admissionOf = new Map<NewCall, Admission>()
    for (const [index, call] of payable.entries()) {
      const grant = grants[index]
      if (typeof grant !== 'object') admissionOf.set(call, { refused: grant ?? 'no rate' })
      else if ('rate' in grant) admissionOf.set(call, { refused: undefined, grant })
      else
        admissionOf.set(call, {
          refused: 'limit',
          limit: guard.reached(call.profile.accountId, call.ceilings, grant),
        })
    }
    return admissionOf
  }

  /** `ringing`: by the id of a call that was not stored, the call it would have rung beside. */
  async function insert(tx: Database, calls: NewCall[], grantOf: (call: NewCall) => Grant | undefined) {
    const ringing = new Map<string, string>()
    const listened = new Set<string>()
    let left = calls
    for (let tries = 0; left.length > 0; tries += 1) {
      if (tries === maxTries) throw new Error(`calls are neither stored nor ringing: ${left[0]?.id}`)
      const inserted = await insertCalls(tx, left, grantOf)
      for (const id of inserted.listened) listened.add(id)
      left = left.filter(({ id }) => !inserted.stored.has(id))
      if (left.length > 0) for (const found of await findRinging(tx, left)) ringing.set(...found)
      left = left.filter(({ id }) => !ringing.has(id))
    }
    return { ringing, listened }
  }

  async function release(tx: Database, calls: NewCall[]) {
    await credit.release(tx, calls.map(toRequest))
  }

  /** One statement. Undefined for a call that needs more than that. */
  async function storeAtOnce(calls: NewCall[]): Promise<(Admission | undefined)[]> {
    const wanted = calls.filter(isWanted)
    const grants = await credit.reserveStoring(db, wanted.map(toRequest), storingPaid(wanted))
    announcer.changed([...grants.keys()])
    return calls.map((call) => {
      const grant = grants.get(call.id)
      return grant && { refused: undefined, grant }
    })
  }

  async function storeInTransaction(calls: NewCall[]): Promise<Admission[]> {
    const wanted = calls.filter(isWanted)
    if (wanted.length === 0) return calls.map(() => unwanted)
    const { admissions, receivers } = await db.transaction().execute((tx) => store(tx, wanted))
    announcer.publish(receivers)
    announcer.changed(
      wanted.filter((call) => admissions.get(call)?.refused === undefined).map(({ id }) => id),
    )
    return calls.map((call) => admissions.get(call) ?? unwanted)
  }

  // Batched: calls placed at the same moment share statements.
  const admitAtOnce = createBatcher(storeAtOnce, { itemsPerStatement })
  const admitInTransaction = createBatcher(storeInTransaction, { itemsPerStatement })

  async function admit(call: NewCall): Promise<Admission> {
    const checked = await check(call)
    if ('refused' in checked) return checked
    const admission = isPayable(checked) && !checked.handOver ? await admitAtOnce(checked) : undefined
    return admission ?? (await admitInTransaction(checked))
  }

  /** The call with the daily ceilings of its account (D193), unless the destination is not allowed (D194). */
  async function check(call: NewCall): Promise<NewCall | Extract<Admission, { refused: 'limit' }>> {
    if (!isPayable(call)) return call
    const found = await guard.check({ accountId: call.profile.accountId, number: call.to })
    return 'rule' in found ? { refused: 'limit', limit: found } : { ...call, ceilings: found }
  }

  /** `also` runs in the same transaction, if the call is admitted. */
  async function admitWith(given: NewCall, also: (tx: Database) => Promise<void>): Promise<Admission> {
    const call = await check(given)
    if ('refused' in call) return call
    const { admission, receivers } = await db.transaction().execute(async (tx) => {
      if (!isWanted(call)) return { admission: unwanted, receivers: [] }
      const stored = await store(tx, [call])
      const admission = stored.admissions.get(call) ?? unwanted
      if (admission.refused === undefined) await also(tx)
      return { admission, receivers: stored.receivers }
    })
    announcer.publish(receivers)
    if (admission.refused === undefined) announcer.changed([call.id])
    return admission
  }

  return { admit, admitWith }
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

const free: Admission = { refused: undefined, grant: undefined }

function isPayable({ type, end, isFree }: NewCall): boolean {
  return type === 'outbound' && !end && !isFree
}

/** D149: placed over the API, and not allowed to ring beside its like. */
function isGuarded({ allowsDuplicate }: NewCall): boolean {
  return allowsDuplicate === false
}
