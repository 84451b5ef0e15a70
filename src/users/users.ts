/** Creates, changes and lists the users of an account. */
import { problem, refuse, refuseFields } from '../contract/errors.ts'
import type { ListQuery } from '../filter/list-query.ts'
import type { Clock } from '../kit/clock.ts'
import { isUuid, uuidv7 } from '../kit/ids.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Database } from '../store/database.ts'
import { violatedConstraint } from '../store/database-errors.ts'
import type { InSameTransaction } from '../store/idempotency.ts'
import type { Searches } from '../store/searches.ts'
import { recordAudit } from './audit.ts'
import type { Caller } from './caller.ts'
import type { Confirmations } from './confirmations/confirmations.ts'
import type { Passwords } from './passwords/passwords.ts'
import { checkMay } from './permissions.ts'
import type { Callers } from './tokens/callers.ts'
import { deleteOtherTokens } from './tokens/tokens-store.ts'
import { type NewUser, readContact, type User, type UserPatch } from './user.ts'
import { selectUserList } from './user-list.ts'
import { countAdminsLocked, findUser, hasEmail, insertUser, updateUser } from './users-store.ts'

type Deps = {
  db: Database
  clock: Clock
  searches: Searches
  passwords: Passwords
  callers: Callers
  confirmations: Confirmations
  outbox: Outbox
}

export function createUsers({ db, clock, searches, passwords, callers, confirmations, outbox }: Deps) {
  async function create(caller: Caller, input: NewUser, saveAnswer?: InSameTransaction<User>): Promise<User> {
    const { password, ...contact } = readContact('User', input)
    const passwordHash = await passwords.hash(password)
    const now = clock.now()
    const newUser = { ...contact, uuid: uuidv7(now), emailVerified: false, createdAt: now }
    return await db
      .transaction()
      .execute(async (tx) => {
        const user = await insertUser(tx, caller.accountId, passwordHash, newUser)
        await recordAudit(tx, {
          accountId: caller.accountId,
          at: now,
          action: 'user.created',
          actor: caller.user.email,
          subject: user.email,
          details: { role: user.role },
        })
        await saveAnswer?.(tx, user)
        return user
      })
      .catch(throwIfTaken)
  }

  /** The ADMIN that a new account begins with, in the transaction that creates the account. */
  async function createFirstAdmin(
    tx: Database,
    accountId: number,
    passwordHash: string,
    contact: Pick<User, 'name' | 'email' | 'phone'>,
  ): Promise<User> {
    const now = clock.now()
    return await insertUser(tx, accountId, passwordHash, {
      uuid: uuidv7(now),
      name: contact.name,
      email: contact.email,
      phone: contact.phone,
      role: 'ADMIN',
      emailVerified: false,
      createdAt: now,
    })
  }

  async function isEmailTaken(email: string): Promise<boolean> {
    return await hasEmail(db, email)
  }

  /** D55: the caller, or, for an ADMIN, the user named by `uuid`. */
  async function update(caller: Caller, uuid: string | undefined, input: UserPatch): Promise<User> {
    const patch = readContact('User', input)
    const targetUuid = uuid ?? caller.user.uuid
    checkMay(caller, targetUuid === caller.user.uuid ? 'users.update-own' : 'users.update-others')
    const changed = await db
      .transaction()
      .execute((tx) => updateIn(tx, caller, targetUuid, patch))
      .catch(throwIfTaken)
    callers.forget(changed.id)
    outbox.wake()
    return changed
  }

  async function updateIn(tx: Database, caller: Caller, uuid: string, patch: UserPatch): Promise<User> {
    // Locked before reading: a concurrent demotion must not leave the account without an ADMIN.
    const admins = patch.role === 'USER' ? await countAdminsLocked(tx, caller.accountId) : undefined
    const before = isUuid(uuid) ? await findUser(tx, caller.accountId, uuid) : undefined
    if (!before) throw refuse('USER_NOT_FOUND')
    const change = changesOf(before, patch)
    if (Object.keys(change).length === 0) return before
    if (change.role !== undefined) checkMay(caller, 'users.set-role')
    if (change.emailVerified !== undefined) checkMay(caller, 'users.set-verified')
    if (before.role === 'ADMIN' && change.role === 'USER' && admins === 1) throw refuse('LAST_ADMIN')

    const newEmail = change.email !== undefined
    const emailVerified = change.emailVerified ?? (newEmail ? false : undefined)
    const now = clock.now()
    const after = await updateUser(tx, before.id, {
      ...(change.name !== undefined && { name: change.name }),
      ...(change.email !== undefined && { email: change.email }),
      ...(change.phone !== undefined && { phone: change.phone }),
      ...(change.role !== undefined && { role: change.role }),
      ...(emailVerified !== undefined && { email_verified: emailVerified }),
      updated_at: now,
    })
    if (newEmail) await deleteOtherTokens(tx, before.id, caller.tokenRef)
    if (newEmail && !after.emailVerified) await confirmations.request(tx, after)
    await callers.announceChange(tx, before.id)
    await recordAudit(tx, {
      accountId: caller.accountId,
      at: now,
      action: 'user.updated',
      actor: caller.user.email,
      subject: before.email,
      details: { changed: Object.keys(change), ...(change.role && { role: change.role }) },
    })
    return after
  }

  async function list(caller: Caller, query: ListQuery): Promise<User[]> {
    return await searches.run(caller.accountId, (db) => selectUserList(db, caller.accountId, query))
  }

  return { create, createFirstAdmin, isEmailTaken, update, list }
}
export type Users = ReturnType<typeof createUsers>

/** Only the fields that differ: a client may send the whole record back unchanged. */
function changesOf(before: User, patch: UserPatch): UserPatch {
  const changed = Object.entries(patch).filter(([name, value]) => value !== before[name as keyof UserPatch])
  return Object.fromEntries(changed)
}

function throwIfTaken(error: unknown): never {
  if (violatedConstraint(error) === 'users_email_key') throw refuseFields('User', { email: [problem.taken] })
  throw error
}
