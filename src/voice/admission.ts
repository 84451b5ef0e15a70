/** New calls, stored together with the credit they need: none is placed that cannot be paid (D9, D41). */
import type { Credit } from '../billing/credit/credit.ts'
import { createBatcher } from '../store/batcher.ts'
import type { Database } from '../store/database.ts'
import type { EventReceiver } from '../webhooks/events-store.ts'
import type { CallAnnouncer } from './announcer.ts'
import { insertCalls, type NewCall } from './calls-store.ts'
import type { Prepaid } from './prepaid.ts'

/** Why a call was not stored; undefined: it was. */
export type CreditRefusal = 'insufficient' | 'no rate' | undefined

type Deps = { db: Database; announcer: CallAnnouncer; credit: Pick<Credit, 'reserve'>; prepaid: Prepaid }

type Stored = { answers: CreditRefusal[]; receivers: EventReceiver[]; granted: Map<NewCall, number> }

export function createCallAdmission({ db, announcer, credit, prepaid }: Deps) {
  async function write(tx: Database, calls: NewCall[]): Promise<Stored> {
    const paying = calls.filter(({ type, end }) => type === 'outbound' && !end)
    const wishes = paying.map(({ id, profile, to }) => ({
      callId: id,
      accountId: profile.accountId,
      destination: to,
    }))
    const grants = wishes.length > 0 ? await credit.reserve(tx, wishes) : []
    const granted = new Map<NewCall, number>()
    const refused = new Map<NewCall, CreditRefusal>()
    for (const [index, call] of paying.entries()) {
      const grant = grants[index]
      if (typeof grant === 'object') granted.set(call, grant.talkSeconds)
      else refused.set(call, grant)
    }
    const accepted = calls.filter((call) => !refused.has(call))
    const listening = accepted.length > 0 ? await insertCalls(tx, accepted) : new Set()
    const receivers = await announcer.announceNew(
      tx,
      accepted.filter(({ profile, end }) => end || listening.has(profile.accountId)),
    )
    return { answers: calls.map((call) => refused.get(call)), receivers, granted }
  }

  /** Once the transaction is through. */
  function begin({ receivers, granted }: Stored) {
    for (const [{ id, profile }, seconds] of granted) prepaid.begin(id, profile.accountId, seconds)
    announcer.publish(receivers)
  }

  /** Together with others that come at the same time. */
  const admit = createBatcher<NewCall, CreditRefusal>(async (calls) => {
    const stored = await db.transaction().execute((tx) => write(tx, calls))
    begin(stored)
    return stored.answers
  })

  /** With what else must be true; that is asked only if the call was stored. */
  async function admitWith(call: NewCall, also: (tx: Database) => Promise<void>): Promise<CreditRefusal> {
    const stored = await db.transaction().execute(async (tx) => {
      const written = await write(tx, [call])
      if (written.answers[0] === undefined) await also(tx)
      return written
    })
    begin(stored)
    return stored.answers[0]
  }

  return { admit, admitWith }
}
export type CallAdmission = ReturnType<typeof createCallAdmission>
