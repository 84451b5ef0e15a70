/** Signing up, and activating the account by the link in the confirmation mail (spec §3, §4.4, D57). */
import { type FieldProblems, problem, refuseFields } from '../contract/errors.ts'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import { uuidv7 } from '../kit/ids.ts'
import type { Outbox } from '../mail/outbox.ts'
import { violatedConstraint } from '../store/connection/database-errors.ts'
import type { Database } from '../store/database.ts'
import { type Action, recordAudit } from '../users/audit/audit.ts'
import type { EmailRelease } from '../users/email-release.ts'
import type { Confirmations } from '../users/links/confirmations.ts'
import type { Links } from '../users/links/links.ts'
import type { Passwords } from '../users/passwords/passwords.ts'
import type { Tokens } from '../users/tokens/tokens.ts'
import type { Users } from '../users/users.ts'
import { readSignup, type Signup, unconfirmedSeconds } from './account.ts'
import { activateAccount, deleteUnconfirmed, hasDomain, insertAccount } from './accounts-store.ts'

type Deps = {
  db: Database
  clock: Clock
  users: Pick<Users, 'createFirstAdmin' | 'isEmailTaken'>
  passwords: Passwords
  tokens: Tokens
  links: Links
  confirmations: Confirmations
  emailRelease: EmailRelease
  outbox: Outbox
  /** Runs in the transaction in which an account becomes active, by the link mailed to `email` or by the operator. */
  onActivated: (
    tx: Database,
    account: { id: number; email: string; by: 'email' | 'operator' },
  ) => Promise<void>
  config: { accountDomainSuffix: string; accountTimeZone: string; crmProducts: string[] }
}

export function createSignups({
  db,
  clock,
  users,
  passwords,
  tokens,
  links,
  confirmations,
  emailRelease,
  outbox,
  config,
  onActivated,
}: Deps) {
  async function signup(request: Signup) {
    const { account } = await create(request, 'account.signed-up', async (tx, made) => {
      await links.send(tx, 'confirm-email', made.user.id)
    })
    outbox.wake()
    return account
  }

  /** By the operator: active immediately, with an access token that never expires. */
  async function createActive(request: Signup) {
    return await create(request, 'account.created', async (tx, { account, user }) => {
      await activateAccount(tx, account.id, clock.now())
      await onActivated(tx, { id: account.id, email: user.email, by: 'operator' })
      return await tokens.issue(tx, user.id, { ttl: -1 })
    })
  }

  type Made = Awaited<ReturnType<typeof insertAccountAndUser>>

  async function create<T>(
    request: Signup,
    action: Action,
    onCreated: (tx: Database, made: Made) => Promise<T>,
  ) {
    const valid = readSignup(request, config.accountDomainSuffix, config.crmProducts)
    // This check reports both duplicates at once; the unique constraints below catch concurrent sign-ups.
    await deleteUnconfirmed(db, plusSeconds(clock.now(), -unconfirmedSeconds), valid)
    const isEmailTaken = await users.isEmailTaken(valid.email)
    if (isEmailTaken) await emailRelease.offer(valid.email, undefined)
    throwIfTaken({ domain: await hasDomain(db, valid.domain), email: isEmailTaken })
    const passwordHash = await passwords.hash(valid.password)
    return await db
      .transaction()
      .execute(async (tx) => {
        const made = await insertAccountAndUser(tx, valid, passwordHash, action)
        return { ...made, more: await onCreated(tx, made) }
      })
      .catch((error: unknown) => {
        const rule = violatedConstraint(error)
        throwIfTaken({ domain: rule === 'accounts_domain_key', email: rule === 'users_email_key' })
        throw error
      })
  }

  async function insertAccountAndUser(tx: Database, valid: Signup, passwordHash: string, action: Action) {
    const now = clock.now()
    const account = await insertAccount(tx, {
      uuid: uuidv7(now),
      domain: valid.domain,
      name: valid.organizationName,
      email: valid.email,
      phone: valid.phone,
      crm: valid.crm,
      user_quantity: valid.userQuantity,
      time_zone: config.accountTimeZone,
      created_at: now,
      updated_at: now,
    })
    const user = await users.createFirstAdmin(tx, account.id, passwordHash, {
      name: valid.organizationName,
      email: valid.email,
      phone: valid.phone,
    })
    await recordAudit(tx, {
      accountId: account.id,
      at: now,
      action,
      actor: null,
      subject: valid.email,
      details: { domain: valid.domain },
    })
    return { account, user }
  }

  /**
   * The button behind a link was pressed. With the link of a sign-up the account becomes active, and its domain is
   * returned.
   */
  async function confirm(token: string) {
    let domain: string | undefined
    const confirmed = await confirmations.confirm(token, async (tx, accountId, user) => {
      const now = clock.now()
      const activated = await activateAccount(tx, accountId, now)
      if (activated === undefined) return
      domain = activated
      await recordAudit(tx, { accountId, at: now, action: 'account.confirmed', actor: user.email })
      await onActivated(tx, { id: accountId, email: user.email, by: 'email' })
    })
    return { ...confirmed, domain }
  }

  async function sweep() {
    await deleteUnconfirmed(db, plusSeconds(clock.now(), -unconfirmedSeconds))
  }

  return { signup, createActive, confirm, sweep }
}
export type Signups = ReturnType<typeof createSignups>

function throwIfTaken(which: { domain: boolean; email: boolean }) {
  const problems: FieldProblems = {
    ...(which.domain && { domain: [problem.taken] }),
    ...(which.email && { email: [problem.taken] }),
  }
  if (Object.keys(problems).length > 0) throw refuseFields('Account', problems)
}
