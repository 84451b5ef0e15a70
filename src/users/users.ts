/** Creates, changes, lists and removes the users of an account. */

import { problem, refuse, refuseFields } from '../contract/errors.ts'
import type { ListQuery } from '../filter/list-query.ts'
import type { Clock } from '../kit/clock.ts'
import { defined } from '../kit/defined.ts'
import { isUuid, uuidv7 } from '../kit/ids.ts'
import type { Outbox } from '../mail/outbox.ts'
import { violatedConstraint } from '../store/connection/database-errors.ts'
import type { Database } from '../store/database.ts'
import type { InSameTransaction } from '../store/idempotency.ts'
import type { Searches } from '../store/searches.ts'
import { recordAudit } from './audit/audit.ts'
import type { Caller } from './caller.ts'
import type { EmailRelease } from './email-release.ts'
import { emailChangeNotice } from './links/link-mails.ts'
import type { Links } from './links/links.ts'
import { hasValidLink } from './links/links-store.ts'
import type { Attempts } from './login/attempts.ts'
import type { Credentials, Reauthentication } from './login/reauthentication.ts'
import type { Passwords } from './passwords/passwords.ts'
import { checkMay } from './permissions.ts'
import type { EndPhones } from './removed-user.ts'
import type { Callers } from './tokens/callers.ts'
import { checkPassword, type NewUser, readContact, type User, type UserPatch } from './user.ts'
import { selectUserList } from './user-list.ts'
import {
  deleteUser,
  findAddressee,
  findUser,
  findUserLocked,
  hasEmail,
  insertUser,
  lockAdmins,
  selectFirstUsers,
  updateUser,
} from './users-store.ts'

type Deps = {
  db: Database
  clock: Clock
  searches: Searches
  passwords: Passwords
  callers: Callers
  links: Links
  emailRelease: EmailRelease
  outbox: Outbox
  reauthentication: Reauthentication
  attempts: Attempts
  endPhones: EndPhones
  /** D195 */
  isProven: (accountId: number) => Promise<boolean>
}

export function createUsers({
  db,
  clock,
  searches,
  passwords,
  callers,
  links,
  emailRelease,
  outbox,
  reauthentication,
  attempts,
  endPhones,
  isProven,
}: Deps) {
  /** D141: without a password the user is invited by mail, and chooses one. */
  async function create(caller: Caller, input: NewUser, saveAnswer?: InSameTransaction<User>): Promise<User> {
    const { password, ...contact } = readContact('User', input)
    if (password !== undefined) checkPassword('password', password)
    const passwordHash = password === undefined ? null : await passwords.hash(password)
    if (password === undefined) await countInvitation(caller)
    const now = clock.now()
    const newUser = { ...contact, uuid: uuidv7(now), emailVerified: false, createdAt: now }
    const made = await db
      .transaction()
      .execute(async (tx) => {
        const user = await insertUser(tx, caller.accountId, passwordHash, newUser)
        if (user.invited) await links.send(tx, 'invitation', user.id)
        await recordAudit(tx, {
          accountId: caller.accountId,
          at: now,
          action: user.invited ? 'user.invited' : 'user.created',
          actor: caller.user.email,
          subject: user.email,
          details: { role: user.role },
        })
        await saveAnswer?.(tx, user)
        return user
      })
      .catch((error: unknown) => refuseIfTaken(error, contact.email, caller.accountId))
    outbox.wake()
    return made
  }

  /** D492: an account that nothing has proven must not send our mails to any number of strangers. */
  async function countInvitation({ accountId, accountUuid }: Caller) {
    if (!(await isProven(accountId))) await attempts.count('invitation', accountUuid)
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
  async function update(
    caller: Caller,
    uuid: string | undefined,
    input: UserPatch,
    credentials: Credentials = {},
  ): Promise<User> {
    const patch = readContact('User', input)
    const targetUuid = uuid ?? caller.user.uuid
    checkMay(caller, targetUuid === caller.user.uuid ? 'users.update-own' : 'users.update-others')
    if (patch.email !== undefined) {
      const { email } = await findIn(db, caller, targetUuid)
      if (patch.email !== email) await reauthentication.requireIfEnabled(caller, credentials)
    }
    const changed = await db
      .transaction()
      .execute((tx) => updateIn(tx, caller, targetUuid, patch))
      .catch((error: unknown) => refuseIfTaken(error, patch.email ?? '', caller.accountId))
    callers.forget(changed.id)
    outbox.wake()
    return changed
  }

  async function updateIn(tx: Database, caller: Caller, uuid: string, patch: UserPatch): Promise<User> {
    // Locked before reading: a concurrent demotion must not leave the account without an ADMIN.
    const admins = patch.role === 'USER' ? await lockAdmins(tx, caller.accountId) : []
    const before = await findIn(tx, caller, uuid)
    const { email: newEmail, ...change } = changesOf(before, patch)
    const changed = [...Object.keys(change), ...(newEmail === undefined ? [] : ['pendingEmail'])]
    if (changed.length === 0) return before
    if (change.role !== undefined) checkMay(caller, 'users.set-role')
    if (change.emailVerified !== undefined) checkMay(caller, 'users.set-verified')
    if (change.role === 'USER') refuseLastAdmin(admins, before)
    const now = clock.now()
    const after = await updateUser(tx, before.id, {
      ...defined({
        name: change.name,
        pending_email: newEmail,
        phone: change.phone,
        role: change.role,
        email_verified: change.emailVerified,
      }),
      updated_at: now,
    })
    if (newEmail !== undefined) await requestNewEmail(tx, caller, before, newEmail)
    await callers.announceChange(tx, before.id)
    await recordAudit(tx, {
      accountId: caller.accountId,
      at: now,
      action: 'user.updated',
      actor: caller.user.email,
      subject: before.email,
      details: { changed, ...(change.role && { role: change.role }) },
    })
    return after
  }

  /** D142: the address changes once the new one is confirmed; the old one gets a notice, or a link (D203). */
  async function requestNewEmail(tx: Database, caller: Caller, user: User, email: string) {
    if (await hasEmail(tx, email)) throw new EmailTaken()
    const isOwn = user.id === caller.user.id
    await links.send(tx, 'new-email', user.id, { email, ...(isOwn && { tokenRef: caller.tokenRef }) })
    // A second link would replace the first one, whose address may be the owner's, by one to the address of a thief.
    const hasLink = await hasValidLink(tx, user.id, 'keep-email', clock.now())
    if (isOwn && user.emailVerified && !hasLink) await links.send(tx, 'keep-email', user.id)
    else await outbox.post(tx, emailChangeNotice(await findAddressee(tx, user.id)))
  }

  /** D140: removes the user with tokens, integrations and phones (D490); what they did stays on record. */
  async function remove(caller: Caller, uuid: string, keepsSenha: boolean): Promise<User> {
    const { removed, forgetPhones } = await db.transaction().execute(async (tx) => {
      const found = await findIn(tx, caller, uuid)
      const forgetPhones = await endPhones(tx, {
        userId: found.id,
        accountId: caller.accountId,
        actor: caller.user.email,
        keepsSenha,
      })
      const admins = await lockAdmins(tx, caller.accountId)
      const user = await findIn(tx, caller, uuid)
      refuseLastAdmin(admins, user)
      await deleteUser(tx, user.id)
      await callers.announceChange(tx, user.id)
      await recordAudit(tx, {
        accountId: caller.accountId,
        at: clock.now(),
        action: 'user.removed',
        actor: caller.user.email,
        subject: user.email,
        details: { name: user.name, role: user.role, uuid: user.uuid },
      })
      return { removed: user, forgetPhones }
    })
    callers.forget(removed.id)
    forgetPhones()
    return removed
  }

  /** D141: sends the invitation again; the older link stops working. */
  async function invite(caller: Caller, uuid: string): Promise<User> {
    await countInvitation(caller)
    const user = await db.transaction().execute(async (tx) => {
      const found = await findIn(tx, caller, uuid)
      // Locked: the person may be accepting at this moment.
      const locked = await findUserLocked(tx, found.id)
      if (!locked?.user.invited) throw refuse('INVITATION_ACCEPTED')
      await links.send(tx, 'invitation', found.id)
      await recordAudit(tx, {
        accountId: caller.accountId,
        at: clock.now(),
        action: 'user.invited',
        actor: caller.user.email,
        subject: found.email,
        details: { role: found.role },
      })
      return found
    })
    outbox.wake()
    return user
  }

  async function find(caller: Caller, uuid: string): Promise<User> {
    return await findIn(db, caller, uuid)
  }

  async function findIn(handle: Database, caller: Caller, uuid: string): Promise<User> {
    const user = isUuid(uuid) ? await findUser(handle, caller.accountId, uuid) : undefined
    if (!user) throw refuse('USER_NOT_FOUND')
    return user
  }

  async function list(caller: Caller, query: ListQuery): Promise<User[]> {
    return await searches.run(caller.accountId, (db) => selectUserList(db, caller.accountId, query))
  }

  /** For the operator, the oldest first. */
  const ofAccount = (accountId: number, limit: number) => selectFirstUsers(db, accountId, limit)

  async function refuseIfTaken(error: unknown, email: string, accountId: number): Promise<never> {
    const isTaken = error instanceof EmailTaken || violatedConstraint(error) === 'users_email_key'
    if (!isTaken) throw error
    await emailRelease.offer(email, accountId)
    throw refuseFields('User', { email: [problem.taken] })
  }

  return { create, createFirstAdmin, isEmailTaken, update, remove, invite, find, list, ofAccount }
}
export type Users = ReturnType<typeof createUsers>

class EmailTaken extends Error {}

/** `admins` are the ADMINs who can log in, locked. */
function refuseLastAdmin(admins: number[], { id }: User) {
  if (admins.length === 1 && admins[0] === id) throw refuse('LAST_ADMIN')
}

/** Only the fields that differ: a client may send the whole record back unchanged. */
function changesOf(before: User, patch: UserPatch): UserPatch {
  const changed = Object.entries(patch).filter(([name, value]) => value !== before[name as keyof UserPatch])
  return Object.fromEntries(changed)
}
