/** Numbers that the operator gives to accounts and takes back. */
import { findAccountIds } from '../accounts/account-lookup-store.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import { recordAudit } from '../users/audit/audit.ts'
import type { Numbers } from './numbers.ts'
import { clearProof, findDomain, findHolder, lockNumber, readNumbers } from './numbers-store.ts'

type Deps = { db: Database; clock: Clock; numbers: Pick<Numbers, 'prove' | 'onChanged'> }

/** `heldBy`: the domain of the account that has the number verified. */
export type Assignment = 'assigned' | 'no account' | { heldBy: string }

type Assigned = { assignment: Assignment; accountId: number | undefined }

export function createNumberAssignments({ db, clock, numbers }: Deps) {
  /** D189: the operator's word is proof enough, but never against an account that has the number. */
  async function assign(number: string, domain: string): Promise<Assignment> {
    const { assignment, accountId } = await db.transaction().execute((tx) => assignIn(tx, number, domain))
    if (accountId !== undefined) numbers.onChanged(accountId)
    return assignment
  }

  async function assignIn(tx: Database, number: string, domain: string): Promise<Assigned> {
    const accountId = (await findAccountIds(tx, [domain])).get(domain)
    if (accountId === undefined) return { assignment: 'no account', accountId }
    if (!(await numbers.prove(tx, accountId, number, 'operator'))) {
      const holder = await findHolder(tx, number)
      return {
        assignment: { heldBy: (holder && (await findDomain(tx, holder.account_id))) ?? '' },
        accountId,
      }
    }
    await recordAudit(tx, {
      accountId,
      at: clock.now(),
      action: 'number.assigned',
      actor: null,
      subject: number,
    })
    return { assignment: 'assigned', accountId }
  }

  /** The account keeps its claim. Returns the domain of the account, or undefined if none had the number. */
  async function release(number: string): Promise<string | undefined> {
    const released = await db.transaction().execute(async (tx) => {
      await lockNumber(tx, number)
      const holder = await findHolder(tx, number)
      if (!holder) return undefined
      const accountId = holder.account_id
      await clearProof(tx, number)
      await recordAudit(tx, {
        accountId,
        at: clock.now(),
        action: 'number.released',
        actor: null,
        subject: number,
      })
      return { accountId, domain: await findDomain(tx, accountId) }
    })
    if (released) numbers.onChanged(released.accountId)
    return released?.domain
  }

  return { assign, release, list: (domain?: string) => readNumbers(db, domain) }
}
export type NumberAssignments = ReturnType<typeof createNumberAssignments>
