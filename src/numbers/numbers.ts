/**
 * The numbers of accounts (D187). Whatever is entered as caller-ID is claimed; it is presented, and called from outside,
 * only once the account has proven it. Several accounts may claim a number, one at most has it verified.
 */

import type { Proof } from '../contract/accounts/numbers.ts'
import { refuse } from '../contract/errors.ts'
import type { ListQuery } from '../filter/list-query.ts'
import { applyList } from '../filter/sql/list-sql.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import type { Searches } from '../store/searches.ts'
import { type Action, recordAudit } from '../users/audit/audit.ts'
import type { Caller } from '../users/caller.ts'
import { type OwnedNumber, readClaim } from './number.ts'
import {
  clearProof,
  countNumbers,
  deleteNumber,
  deleteUnverified,
  findHolder,
  insertClaim,
  lockNumber,
  type NumberRow,
  selectNumbers,
  setProof,
} from './numbers-store.ts'
import type { ProofPolicy } from './ownership-sql.ts'

/** Claims by `POST /numbers`; those by extensions are limited by their extensions. */
const maxNumbers = 500

type Deps = ProofPolicy & {
  db: Database
  clock: Clock
  searches: Searches
  /** Whether the account, or an extension of it, has the number as its caller-ID. */
  isCallerNumber(db: Database, accountId: number, number: string): Promise<boolean>
  /** Called after the commit: what the account's extensions present may have changed. */
  onChanged(accountId: number): void
}

export function createNumbers({ db, clock, searches, acceptsSandbox, isCallerNumber, onChanged }: Deps) {
  /** For a transaction that changes several numbers: locked in their order, so no deadlock. */
  async function lock(tx: Database, numbers: readonly (string | null | undefined)[]) {
    const named = numbers.filter((number) => typeof number === 'string')
    for (const number of [...new Set(named)].sort()) await lockNumber(tx, number)
  }

  /** In the transaction that uses the number. The sandbox carrier verifies what nobody else has (D187). */
  async function claimFor(tx: Database, accountId: number, number: string) {
    await lockNumber(tx, number)
    await insertClaim(tx, accountId, number, clock.now())
    if (acceptsSandbox && !(await findHolder(tx, number)))
      await setProof(tx, { accountId, number }, { proof: 'sandbox', at: clock.now() })
  }

  /** In the transaction in which an extension stops using the number: an unverified claim of no use is forgotten. */
  async function dropUnused(tx: Database, accountId: number, number: string) {
    await lockNumber(tx, number)
    if (!(await isCallerNumber(tx, accountId, number))) await deleteUnverified(tx, accountId, number)
  }

  /** Whether another account has the number; until the transaction ends nobody else gets it. */
  async function isTaken(tx: Database, accountId: number, number: string): Promise<boolean> {
    await lockNumber(tx, number)
    const holder = await findHolder(tx, number)
    return holder !== undefined && holder.account_id !== accountId && holder.proof !== 'sandbox'
  }

  /** Whether the account has the number verified; until the transaction ends nobody else gets it. */
  async function isVerifiedFor(tx: Database, accountId: number, number: string): Promise<boolean> {
    await lockNumber(tx, number)
    const holder = await findHolder(tx, number)
    return holder?.account_id === accountId && (acceptsSandbox || holder.proof !== 'sandbox')
  }

  /** False if another account has it. What the sandbox verified gives way to any other proof. */
  async function prove(tx: Database, accountId: number, number: string, proof: Proof): Promise<boolean> {
    if (await isTaken(tx, accountId, number)) return false
    await clearProof(tx, number)
    await insertClaim(tx, accountId, number, clock.now())
    await setProof(tx, { accountId, number }, { proof, at: clock.now() })
    return true
  }

  /** A number that the account has already is returned as it is. */
  async function claim(caller: Caller, text: string): Promise<OwnedNumber> {
    const { accountId } = caller
    const number = readClaim(text)
    const row = await db.transaction().execute(async (tx) => {
      await lockNumber(tx, number)
      const known = await selectNumbers(tx, accountId).where('numbers.number', '=', number).executeTakeFirst()
      if (!known && (await countNumbers(tx, accountId)) >= maxNumbers) throw refuse('NUMBER_LIMIT')
      await claimFor(tx, accountId, number)
      if (!known) await audit(tx, caller, 'number.claimed', number)
      return await selectNumbers(tx, accountId).where('numbers.number', '=', number).executeTakeFirstOrThrow()
    })
    onChanged(accountId)
    return open(row)
  }

  /** Not while it is the caller-ID of an extension, or of those that have none (D325). */
  async function remove(caller: Caller, id: number) {
    const { accountId } = caller
    const { number } = await find(caller, id)
    await db.transaction().execute(async (tx) => {
      await lockNumber(tx, number)
      if (await isCallerNumber(tx, accountId, number)) throw refuse('NUMBER_IN_USE')
      await deleteNumber(tx, accountId, number)
      await audit(tx, caller, 'number.removed', number)
    })
  }

  async function find(caller: Caller, id: number): Promise<OwnedNumber> {
    const row = await selectNumbers(db, caller.accountId).where('numbers.id', '=', id).executeTakeFirst()
    if (!row) throw refuse('NUMBER_NOT_FOUND')
    return open(row)
  }

  async function list(caller: Caller, query: ListQuery): Promise<OwnedNumber[]> {
    const { accountId } = caller
    const rows = await searches.run(accountId, (db) =>
      applyList(selectNumbers(db, accountId), query).execute(),
    )
    return rows.map(open)
  }

  function open(row: NumberRow): OwnedNumber {
    const { id, number, proof, verified_at: at, created_at: createdAt } = row
    const isCounted = proof !== 'sandbox' || acceptsSandbox
    return {
      id,
      number,
      createdAt,
      verified: proof && at && isCounted ? { proof, at } : null,
      lastCall: row.called_at && {
        startedAt: row.called_at,
        endedAt: row.call_ended_at,
        outcome: row.call_outcome,
      },
    }
  }

  async function audit(tx: Database, caller: Caller, action: Action, subject: string) {
    const { accountId, user } = caller
    await recordAudit(tx, { accountId, at: clock.now(), action, actor: user.email, subject })
  }

  return {
    acceptsSandbox,
    lock,
    claimFor,
    dropUnused,
    isTaken,
    isVerifiedFor,
    prove,
    onChanged,
    claim,
    remove,
    find,
    list,
  }
}
export type Numbers = ReturnType<typeof createNumbers>
