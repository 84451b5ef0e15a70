/** Stores new calls together with the credit they need: no call is placed that cannot be paid (D9, D41). */
import type { Credit } from '../billing/credit/credit.ts'
import { createBatcher } from '../store/batcher.ts'
import type { Database } from '../store/database.ts'
import type { EventReceiver } from '../webhooks/events-store.ts'
import type { CallAnnouncer } from './announcer.ts'
import { insertCalls, type NewCall } from './calls-store.ts'

export type CreditRefusal = 'insufficient' | 'no rate'

/** `paidSeconds`: how long the parties may talk on the credit reserved; undefined for a free call. */
export type Admission = { refused: CreditRefusal } | { refused: undefined; paidSeconds: number | undefined }

type Deps = { db: Database; announcer: CallAnnouncer; credit: Pick<Credit, 'reserve'> }

type Stored = { admissions: Admission[]; receivers: EventReceiver[] }

export function createCallAdmission({ db, announcer, credit }: Deps) {
  async function store(tx: Database, calls: NewCall[]): Promise<Stored> {
    const payable = calls.filter(({ type, end }) => type === 'outbound' && !end)
    const requests = payable.map(({ id, profile, to }) => ({
      callId: id,
      accountId: profile.accountId,
      destination: to,
    }))
    const grants = requests.length > 0 ? await credit.reserve(tx, requests) : []
    const admissionOf = new Map<NewCall, Admission>()
    for (const [index, call] of payable.entries()) {
      const grant = grants[index]
      if (typeof grant === 'object')
        admissionOf.set(call, { refused: undefined, paidSeconds: grant.talkSeconds })
      else admissionOf.set(call, { refused: grant ?? 'no rate' })
    }
    const admissions = calls.map(
      (call) => admissionOf.get(call) ?? { refused: undefined, paidSeconds: undefined },
    )
    const accepted = calls.filter((_, index) => admissions[index]?.refused === undefined)
    const listening = accepted.length > 0 ? await insertCalls(tx, accepted) : new Set()
    const receivers = await announcer.announceNew(
      tx,
      accepted.filter(({ profile, end }) => end || listening.has(profile.accountId)),
    )
    return { admissions, receivers }
  }

  /** Batched: calls placed at the same moment share a transaction. */
  const admit = createBatcher<NewCall, Admission>(async (calls) => {
    const { admissions, receivers } = await db.transaction().execute((tx) => store(tx, calls))
    announcer.publish(receivers)
    return admissions
  })

  /** `also` runs in the same transaction, if the call is admitted. */
  async function admitWith(call: NewCall, also: (tx: Database) => Promise<void>): Promise<Admission> {
    const { admissions, receivers } = await db.transaction().execute(async (tx) => {
      const stored = await store(tx, [call])
      if (stored.admissions[0]?.refused === undefined) await also(tx)
      return stored
    })
    announcer.publish(receivers)
    return admissions[0] ?? { refused: 'no rate' }
  }

  return { admit, admitWith }
}
export type CallAdmission = ReturnType<typeof createCallAdmission>
