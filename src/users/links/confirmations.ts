/**
 * What happens when the button behind a confirming link is pressed (D57, D142, D143, D203): an address is confirmed,
 * replaced by a new one, released by the person it belongs to, or kept.
 */
import { problem, refuse, refuseFields } from '../../contract/errors.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { violatedConstraint } from '../../store/connection/database-errors.ts'
import type { Database } from '../../store/database.ts'
import { recordAudit } from '../audit/audit.ts'
import type { EndPhones } from '../removed-user.ts'
import type { Callers } from '../tokens/callers.ts'
import { deleteTokens } from '../tokens/tokens-store.ts'
import type { User } from '../user.ts'
import {
  deleteUser,
  findAddressee,
  findUserById,
  findUserLocked,
  isOnlyAdminLocked,
  updateUser,
} from '../users-store.ts'
import type { KeptEmail } from './kept-email.ts'
import { type ConfirmingPurpose, confirmingPurposes } from './link.ts'
import type { Links } from './links.ts'
import { deleteLinks, hasValidLink } from './links-store.ts'

type Deps = {
  db: Database
  clock: Clock
  outbox: Outbox
  callers: Callers
  links: Links
  keptEmail: KeptEmail
  endPhones: EndPhones
}

type Holder = NonNullable<Awaited<ReturnType<typeof findUserLocked>>>

/** Joins the transaction that confirms the address, to activate the account. */
type Activate = (tx: Database, accountId: number, user: User) => Promise<void>

export function createConfirmations({ db, clock, outbox, callers, links, keptEmail, endPhones }: Deps) {
  /** D62: sends a new link to a user whose link expired, unless one that works was sent. */
  async function renew(user: User) {
    await db.transaction().execute(async (tx) => {
      // Without the lock, two logins at once would send two mails, the first with a link that no longer works.
      await findUserLocked(tx, user.id)
      const sent = await hasValidLink(tx, user.id, 'confirm-email', clock.now())
      if (!sent) await links.send(tx, 'confirm-email', user.id)
    })
    outbox.wake()
  }

  /** What the page of a link shows before its button is pressed; uses nothing up. */
  async function show(token: string): Promise<{ purpose: ConfirmingPurpose; email: string; domain: string }> {
    const link = await links.find(db, token, confirmingPurposes)
    if (!link) throw refuse('CONFIRMATION_INVALID')
    const { domain } = await findAddressee(db, link.userId)
    return { purpose: link.purpose, email: link.email, domain }
  }

  async function confirm(token: string, activate: Activate) {
    const isKept = (await links.find(db, token, ['keep-email'])) !== undefined
    const lockedPassword = isKept ? await keptEmail.lockedPassword() : ''
    const { purpose, userId, email, forgetPhones } = await db
      .transaction()
      .execute(async (tx) => {
        const { link, holder, isLastAdmin, forgetPhones } = await lock(tx, token)
        if (link.purpose === 'confirm-email') await verify(tx, holder, link.email, activate)
        else if (link.purpose === 'new-email') await changeEmail(tx, holder, link.email, link.tokenRef)
        else if (link.purpose === 'keep-email') await keptEmail.keep(tx, holder, link, lockedPassword)
        else if (isLastAdmin) throw refuse('CONFIRMATION_INVALID')
        else await release(tx, holder, link.email)
        await callers.announceChange(tx, link.userId)
        return { ...link, forgetPhones }
      })
      .catch((error: unknown) => {
        if (violatedConstraint(error) !== 'users_email_key') throw error
        throw refuseFields('User', { email: [problem.taken] })
      })
    callers.forget(userId)
    forgetPhones?.()
    outbox.wake()
    return { purpose, email }
  }

  /** Locks extensions, ADMINs, user and link in this order, as others do, and uses the link up. */
  async function lock(tx: Database, token: string) {
    const found = await links.find(tx, token, confirmingPurposes)
    const forgetPhones = found?.purpose === 'release-email' ? await endPhonesOf(tx, found.userId) : undefined
    const isLastAdmin = found?.purpose === 'release-email' && (await isOnlyAdminLocked(tx, found.userId))
    const holder = found && (await findUserLocked(tx, found.userId))
    const link = holder && (await links.take(tx, token, confirmingPurposes))
    if (!holder || !link) throw refuse('CONFIRMATION_INVALID')
    return { link, holder, isLastAdmin, forgetPhones }
  }

  async function endPhonesOf(tx: Database, userId: number) {
    const found = await findUserById(tx, userId)
    return (
      found && (await endPhones(tx, { userId, accountId: found.accountId, actor: null, keepsSenha: false }))
    )
  }

  async function verify(tx: Database, { user, accountId }: Holder, email: string, activate: Activate) {
    if (user.email !== email) throw refuse('CONFIRMATION_INVALID')
    const now = clock.now()
    const verified = await updateUser(tx, user.id, { email_verified: true, updated_at: now })
    await recordAudit(tx, {
      accountId,
      at: now,
      action: 'user.email-confirmed',
      actor: email,
      subject: email,
    })
    await activate(tx, accountId, verified)
  }

  /** D142: the uniqueness of the address is checked at this moment, by the database. */
  async function changeEmail(
    tx: Database,
    { user, accountId }: Holder,
    email: string,
    tokenRef: string | null,
  ) {
    if (user.pendingEmail !== email) throw refuse('CONFIRMATION_INVALID')
    const now = clock.now()
    await updateUser(tx, user.id, { email, email_verified: true, pending_email: null, updated_at: now })
    // They were mailed to the old address.
    await deleteLinks(tx, user.id, ['confirm-email', 'release-email', 'reset-password', 'invitation'])
    await deleteTokens(tx, user.id, tokenRef)
    await recordAudit(tx, {
      accountId,
      at: now,
      action: 'user.email-changed',
      actor: email,
      subject: email,
      details: { before: user.email },
    })
  }

  /** D143: removes the user who never confirmed the address. */
  async function release(tx: Database, { user, accountId }: Holder, email: string) {
    if (user.email !== email || user.emailVerified) throw refuse('CONFIRMATION_INVALID')
    await deleteUser(tx, user.id)
    await recordAudit(tx, {
      accountId,
      at: clock.now(),
      action: 'user.removed',
      actor: null,
      subject: email,
      details: { name: user.name, role: user.role, uuid: user.uuid, reason: 'e-mail released by its owner' },
    })
  }

  return { renew, show, confirm }
}
export type Confirmations = ReturnType<typeof createConfirmations>
