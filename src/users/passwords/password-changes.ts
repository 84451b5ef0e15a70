/**
 * Sets passwords (D139): a user by the current one, by a link that was mailed, or the operator. A new password ends the
 * user's other tokens, and what was asked for with the old one.
 */
import { refuse } from '../../contract/errors.ts'
import type { Clock } from '../../kit/clock.ts'
import { readEmail } from '../../kit/text/email.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Database } from '../../store/database.ts'
import { type Action, recordAudit } from '../audit/audit.ts'
import type { Caller } from '../caller.ts'
import { type PasswordPurpose, passwordPurposes } from '../links/link.ts'
import type { Links } from '../links/links.ts'
import { deleteLinks } from '../links/links-store.ts'
import type { Credentials, Reauthentication } from '../login/reauthentication.ts'
import type { Callers } from '../tokens/callers.ts'
import { deleteTokens } from '../tokens/tokens-store.ts'
import { checkPassword } from '../user.ts'
import { findAddressee, findUserByEmail, findUserLocked, updateUser } from '../users-store.ts'
import type { Passwords } from './passwords.ts'

type Deps = {
  db: Database
  clock: Clock
  passwords: Passwords
  callers: Callers
  links: Links
  reauthentication: Reauthentication
  outbox: Outbox
}

type Holder = NonNullable<Awaited<ReturnType<typeof findUserLocked>>>

type NewPassword = {
  hash: string
  action: Action
  /** Null for the operator. */
  actor: string | null
  /** The token that goes on working. */
  keptRef: string | null
  /** A link that came by mail proves the address. */
  provesEmail: boolean
}

export function createPasswordChanges({
  db,
  clock,
  passwords,
  callers,
  links,
  reauthentication,
  outbox,
}: Deps) {
  /** By the user, with the current password (D202); the token in use goes on working. */
  async function change(caller: Caller, credentials: Credentials & { password: string }, password: string) {
    checkPassword('newPassword', password)
    const { user, tokenRef } = caller
    const finish = await reauthentication.begin(caller, credentials)
    const hash = await passwords.hash(password)
    await db.transaction().execute(async (tx) => {
      const holder = await findUserLocked(tx, user.id)
      if (!holder) throw refuse('INVALID_PASSWORD')
      await finish(tx, holder)
      const action = 'user.password-changed'
      await store(tx, holder, { hash, action, actor: user.email, keptRef: tokenRef, provesEmail: false })
    })
    callers.forget(user.id)
    outbox.wake()
  }

  /** What the page of a link shows before the form is sent; uses nothing up. */
  async function showLink(
    token: string,
  ): Promise<{ purpose: PasswordPurpose; email: string; domain: string }> {
    const link = await links.find(db, token, passwordPurposes)
    if (!link) throw refuse('PASSWORD_LINK_INVALID')
    const { domain } = await findAddressee(db, link.userId)
    return { purpose: link.purpose, email: link.email, domain }
  }

  /** By a link of a forgotten password, or of an invitation; ends all tokens. */
  async function setByLink(token: string, password: string) {
    await showLink(token)
    checkPassword('newPassword', password)
    const hash = await passwords.hash(password)
    const { userId, email, purpose } = await db.transaction().execute(async (tx) => {
      const found = await links.find(tx, token, passwordPurposes)
      const holder = found && (await findUserLocked(tx, found.userId))
      const link = holder && (await links.take(tx, token, passwordPurposes))
      if (!link || holder.user.email !== link.email) throw refuse('PASSWORD_LINK_INVALID')
      const action = link.purpose === 'invitation' ? 'user.invitation-accepted' : 'user.password-reset'
      await store(tx, holder, { hash, action, actor: link.email, keptRef: null, provesEmail: true })
      return link
    })
    callers.forget(userId)
    return { email, purpose }
  }

  /** By the operator; ends all tokens. False if there is no such user. */
  async function setByOperator(address: string, password: string): Promise<boolean> {
    checkPassword('password', password)
    const found = await findUserByEmail(db, readEmail(address) ?? '')
    if (!found) return false
    const hash = await passwords.hash(password)
    const isSet = await db.transaction().execute(async (tx) => {
      const holder = await findUserLocked(tx, found.user.id)
      if (!holder) return false
      const action = 'user.password-set'
      await store(tx, holder, { hash, action, actor: null, keptRef: null, provesEmail: false })
      return true
    })
    callers.forget(found.user.id)
    return isSet
  }

  async function store(tx: Database, { user, accountId }: Holder, change: NewPassword) {
    const now = clock.now()
    await updateUser(tx, user.id, {
      password_hash: change.hash,
      pending_email: null,
      updated_at: now,
      ...(change.provesEmail && { email_verified: true }),
    })
    await deleteLinks(tx, user.id, ['reset-password', 'invitation', 'new-email'])
    const tokensEnded = await deleteTokens(tx, user.id, change.keptRef)
    await callers.announceChange(tx, user.id)
    await recordAudit(tx, {
      accountId,
      at: now,
      action: change.action,
      actor: change.actor,
      subject: user.email,
      details: { tokensEnded },
    })
  }

  return { change, showLink, setByLink, setByOperator }
}
export type PasswordChanges = ReturnType<typeof createPasswordChanges>
