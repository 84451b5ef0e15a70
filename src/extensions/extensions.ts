/** Creates, changes, removes and lists extensions. */

import { problem, refuse, refuseFields } from '../contract/errors.ts'
import type { ListQuery } from '../filter/list-query.ts'
import { applyList } from '../filter/sql/list-sql.ts'
import { inOrderOf, type LastChange, type Updates } from '../filter/updates.ts'
import type { Clock } from '../kit/clock.ts'
import { defined } from '../kit/defined.ts'
import type { Vault } from '../kit/vault.ts'
import type { Numbers } from '../numbers/numbers.ts'
import type { ProofPolicy } from '../numbers/ownership-sql.ts'
import { violatedConstraint } from '../store/connection/database-errors.ts'
import type { Database } from '../store/database.ts'
import type { InSameTransaction } from '../store/idempotency.ts'
import type { Searches } from '../store/searches.ts'
import { readChanged } from '../store/updates-sql.ts'
import { type Action, recordAudit } from '../users/audit/audit.ts'
import type { Caller } from '../users/caller.ts'
import { hasScope } from '../users/scopes.ts'
import { type Extension, type ExtensionPatch, type NewExtension, readExtension } from './extension.ts'
import {
  deleteExtension,
  deleteRegistration,
  type ExtensionRow,
  findFreeNumber,
  findRegistration,
  insertExtension,
  lockExtension,
  lockNumbers,
  selectExtensions,
  updateExtension,
} from './extensions-store.ts'
import { type Phones, sealPurpose } from './phones/phones.ts'
import { deleteExpired, selectPhones } from './phones/registrations-store.ts'
import type { ExtensionProfiles } from './profiles.ts'

type Deps = ProofPolicy & {
  db: Database
  clock: Clock
  searches: Searches
  vault: Vault
  phones: Phones
  profiles: Pick<ExtensionProfiles, 'changed'>
  numbers: Pick<Numbers, 'lock' | 'claimFor' | 'dropUnused'>
}

/** For an extension without a registered phone. */
const unregistered = { registered_at: null, user_agent: null }

export function createExtensions(deps: Deps) {
  const { db, clock, searches, vault, phones, profiles, numbers, acceptsSandbox } = deps
  const policy = { acceptsSandbox }

  async function create(
    caller: Caller,
    input: NewExtension,
    saveAnswer?: InSameTransaction<Extension>,
  ): Promise<Extension> {
    const made = await db
      .transaction()
      .execute(async (tx) => {
        await lockNumbers(tx, caller.accountId)
        return await insert(tx, caller, input, saveAnswer)
      })
      .catch(throwIfTaken)
    phones.changed([nameOf(caller, made.number)])
    return made
  }

  /** D70: with the lowest free number. */
  async function createNext(
    caller: Caller,
    input: Omit<NewExtension, 'number'>,
    saveAnswer?: InSameTransaction<Extension>,
  ): Promise<Extension> {
    const made = await db.transaction().execute(async (tx) => {
      await lockNumbers(tx, caller.accountId)
      const number = await findFreeNumber(tx, caller.accountId)
      if (number === undefined) throw refuse('EXTENSION_NUMBERS_USED_UP')
      return await insert(tx, caller, { ...input, number }, saveAnswer)
    })
    phones.changed([nameOf(caller, made.number)])
    return made
  }

  async function insert(
    tx: Database,
    caller: Caller,
    input: NewExtension,
    saveAnswer?: InSameTransaction<Extension>,
  ) {
    const read = readExtension(input)
    const now = clock.now()
    if (read.callerNumber) await numbers.claimFor(tx, caller.accountId, read.callerNumber)
    const values = {
      account_id: caller.accountId,
      number: read.number,
      password: vault.seal(sealPurpose, read.password),
      caller_id: read.callerId,
      caller_number: read.callerNumber ?? null,
      first_name: read.firstName,
      last_name: read.lastName,
      email: read.email,
      record_calls: read.recordCalls,
      created_at: now,
      updated_at: now,
    }
    const row = await insertExtension(tx, values, policy)
    await audit(tx, caller, 'extension.created', row.number)
    await phones.announce(tx, [nameOf(caller, row.number)])
    const made = open({ ...row, ...unregistered })
    await saveAnswer?.(tx, made)
    return made
  }

  /** Changes the fields given. D74: a changed number or password ends the registration. */
  async function update(caller: Caller, id: number, input: ExtensionPatch): Promise<Extension> {
    const read = readExtension(input)
    const { row, names } = await db
      .transaction()
      .execute(async (tx) => {
        if (read.number !== undefined || read.email !== undefined) await lockNumbers(tx, caller.accountId)
        const before = await lockExtension(tx, caller.accountId, id)
        // A record that is sent back whole names the e-mail it has, and keeps its owner.
        const isMoved = read.email !== before?.email || before?.user_id === null
        const change = {
          ...defined({ number: read.number }),
          ...(read.password !== undefined && { password: vault.seal(sealPurpose, read.password) }),
          ...(read.callerId !== undefined && { caller_id: read.callerId, caller_number: read.callerNumber }),
          ...defined({
            first_name: read.firstName,
            last_name: read.lastName,
            email: read.email,
            record_calls: read.recordCalls,
          }),
          updated_at: clock.now(),
        }
        if (read.callerNumber !== undefined)
          await numbers.lock(tx, [read.callerNumber, before?.caller_number])
        if (before && read.callerNumber) await numbers.claimFor(tx, caller.accountId, read.callerNumber)
        const owner = isMoved ? read.email : undefined
        const row = await updateExtension(tx, caller.accountId, id, change, policy, owner)
        if (!row || !before) throw refuse('EXTENSION_NOT_FOUND')
        const wasReplaced = read.callerNumber !== undefined && read.callerNumber !== before.caller_number
        if (wasReplaced) await dropUnused(tx, caller, before.caller_number)
        await audit(tx, caller, 'extension.updated', row.number, Object.keys(input))
        const oldPassword = vault.open(sealPurpose, before.password)
        const isSame = row.number === before.number && (read.password ?? oldPassword) === oldPassword
        const names = isSame ? [] : await endRegistration(tx, caller, id, [before.number, row.number])
        return { row: { ...row, ...((await findRegistration(tx, id, clock.now())) ?? unregistered) }, names }
      })
      .catch(throwIfTaken)
    profiles.changed(caller.accountId)
    phones.changed(names)
    return open(row)
  }

  async function remove(caller: Caller, id: number) {
    const names = await db.transaction().execute(async (tx) => {
      // Before the row, as when one is made: else the two wait for each other.
      await lockNumbers(tx, caller.accountId)
      const gone = await deleteExtension(tx, caller.accountId, id)
      if (!gone) throw refuse('EXTENSION_NOT_FOUND')
      await dropUnused(tx, caller, gone.caller_number)
      await audit(tx, caller, 'extension.removed', gone.number)
      return await endRegistration(tx, caller, id, [gone.number])
    })
    profiles.changed(caller.accountId)
    phones.changed(names)
  }

  async function dropUnused(tx: Database, caller: Caller, callerNumber: string | null) {
    if (callerNumber !== null) await numbers.dropUnused(tx, caller.accountId, callerNumber)
  }

  /** Returns the names whose phones must register again. */
  async function endRegistration(tx: Database, caller: Caller, id: number, numbers: string[]) {
    await deleteRegistration(tx, id)
    const names = [...new Set(numbers)].map((number) => nameOf(caller, number))
    await phones.announce(tx, names)
    return names
  }

  async function find(caller: Caller, id: number): Promise<Extension> {
    const row = await selectExtensions(db, caller.accountId, clock.now(), policy)
      .where('extensions.id', '=', id)
      .executeTakeFirst()
    if (!row) throw refuse('EXTENSION_NOT_FOUND')
    return open(row)
  }

  /** D312: of one's own extension or, as an ADMIN whose token has the scope `admin`, of any. */
  async function issueCredential(caller: Caller, id: number) {
    const { user, tokenEnd, session } = caller
    const { number, owner } = await find(caller, id)
    const mayUseAny = user.role === 'ADMIN' && hasScope(caller, 'admin')
    if (!mayUseAny && owner?.id !== user.id) throw refuse('ACCESS_DENIED')
    const name = nameOf(caller, number)
    // This use prolongs a session.
    const issued = await phones.issueTemporary(name, user.id, session ? null : tokenEnd)
    if (!issued) throw refuse('EXTENSION_NOT_FOUND')
    await recordAudit(db, {
      accountId: caller.accountId,
      at: clock.now(),
      action: 'extension.credential-issued',
      actor: user.email,
      subject: number,
    })
    return { ...issued, domain: name.domain }
  }

  async function list(caller: Caller, query: ListQuery): Promise<Extension[]> {
    const { accountId } = caller
    const rows = await searches.run(accountId, (db) =>
      applyList(selectExtensions(db, accountId, clock.now(), policy), query).execute(),
    )
    return rows.map(open)
  }

  /** D575: with the ids of those that were removed. */
  async function updated(
    { accountId }: Caller,
    last: LastChange,
    limit: number,
  ): Promise<Updates<Extension> & { removed: number[] }> {
    const tables: [string, string] = ['extensions', 'removed_extensions']
    const asked = { accountId, tables, idType: 'bigint', last, limit } as const
    return await searches.run(accountId, async (db) => {
      const changed = await readChanged(db, asked)
      const idsIn = (name: string) => changed.rows.filter(({ table }) => table === name).map(({ id }) => id)
      const ids = idsIn('extensions')
      const list = selectExtensions(db, accountId, clock.now(), policy)
      const found = ids.length > 0 ? await list.where('extensions.id', 'in', ids.map(Number)).execute() : []
      const rows = inOrderOf(ids, found, ({ id }) => id).map(open)
      return { ...changed, rows, removed: idsIn('removed_extensions').map(Number) }
    })
  }

  function open(row: ExtensionRow): Extension {
    return {
      id: row.id,
      number: row.number,
      password: vault.open(sealPurpose, row.password),
      callerId: row.caller_id,
      callerIdVerified: row.caller_verified,
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email,
      recordCalls: row.record_calls,
      owner: row.user_id !== null && row.user_uuid !== null ? { id: row.user_id, uuid: row.user_uuid } : null,
      registration: row.registered_at && { at: row.registered_at, userAgent: row.user_agent },
    }
  }

  async function audit(tx: Database, caller: Caller, action: Action, subject: string, changed?: string[]) {
    await recordAudit(tx, {
      accountId: caller.accountId,
      at: clock.now(),
      action,
      actor: caller.user.email,
      subject,
      ...(changed && { details: { changed } }),
    })
  }

  return {
    create,
    createNext,
    update,
    remove,
    find,
    issueCredential,
    list,
    updated,
    /** With the account of each, for those who watch phones live. */
    async phonesOf(accountIds: number[], names: string[] | 'registered') {
      const rows = await selectPhones(db, accountIds, names, clock.now())
      return rows.map(({ accountId, ...phone }) => ({ accountId, phone }))
    },
    sweepRegistrations: () => deleteExpired(db, clock.now()),
  }
}
export type Extensions = ReturnType<typeof createExtensions>

function nameOf({ domain }: Caller, number: string) {
  return { domain, number }
}

function throwIfTaken(error: unknown): never {
  if (violatedConstraint(error) === 'extensions_number_key') {
    throw refuseFields('Extension', { ramal: [problem.taken] })
  }
  throw error
}
