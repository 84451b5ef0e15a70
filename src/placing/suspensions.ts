/**
 * D616: an account that the operator suspends: its calls end, its phones and sessions too, and new calls, log-ins, requests and
 * registrations are refused until it is released.
 *
 * The state is one column, which every process reads with the caller, the credentials or the profile it needs anyway. What
 * must end is requested in rows: a node hangs up within a second, also one that was cut off meanwhile. A call that was being
 * admitted at that moment is found by the next tick.
 */
import {
  findSuspended,
  findSuspension,
  releaseAccount,
  suspendAccount,
} from '../accounts/suspension-store.ts'
import { requestHangUps } from '../calls/calls-store.ts'
import type { AccountPhones } from '../extensions/phones/account-phones.ts'
import type { Clock } from '../kit/clock.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Mail } from '../mail/port.ts'
import type { Database } from '../store/database.ts'
import { recordAudit } from '../users/audit/audit.ts'
import type { Callers } from '../users/tokens/callers.ts'
import type { Tokens } from '../users/tokens/tokens.ts'
import { findAdmins } from '../users/users-store.ts'
import { releaseMail, suspensionMail } from './suspension-mails.ts'

export type { Suspension } from '../accounts/suspension-store.ts'

export const suspensionSweepSeconds = 2

type Deps = {
  db: Database
  /** For calls. */
  callsDb: Database
  clock: Clock
  callers: Pick<Callers, 'announceAccountChange' | 'forget'>
  tokens: Pick<Tokens, 'endOfAccount'>
  accountPhones: AccountPhones
  outbox: Pick<Outbox, 'post' | 'wake'>
}

/** `revokesTokens`: access tokens are deleted; otherwise they work again after the release. */
type Suspending = { reason: string; revokesTokens: boolean }

export function createSuspensions(deps: Deps) {
  const { db, callsDb, clock, callers, tokens, accountPhones, outbox } = deps

  /** Twice is once: of an account that is suspended nothing changes. Undefined if there is no such account. */
  async function suspend(domain: string, { reason, revokesTokens }: Suspending) {
    const since = clock.now()
    const finish = await db.transaction().execute(async (tx) => {
      const accountId = await suspendAccount(tx, domain, { since, reason })
      if (accountId === undefined) return undefined
      const tokensEnded = await tokens.endOfAccount(tx, accountId, revokesTokens ? 'all' : 'sessions')
      await recordAudit(tx, {
        accountId,
        at: since,
        action: 'account.suspended',
        actor: null,
        subject: domain,
        details: { reason, tokensEnded },
      })
      return await change(tx, { accountId, domain }, suspensionMail({ domain, reason }))
    })
    const accountId = finish?.()
    if (accountId !== undefined) await requestHangUps(callsDb, [accountId])
    return await findSuspension(db, domain)
  }

  /** Undefined if there is no such account; nothing changes if it is not suspended. */
  async function release(domain: string, reason: string) {
    const finish = await db.transaction().execute(async (tx) => {
      const accountId = await releaseAccount(tx, domain)
      if (accountId === undefined) return undefined
      await recordAudit(tx, {
        accountId,
        at: clock.now(),
        action: 'account.released',
        actor: null,
        subject: domain,
        details: { reason },
      })
      return await change(tx, { accountId, domain }, releaseMail(domain))
    })
    finish?.()
    return await findSuspension(db, domain)
  }

  type Account = { accountId: number; domain: string }

  /** The part that suspending and releasing share, in their transaction. The caller runs the returned function after the commit. */
  async function change(tx: Database, account: Account, mailTo: (recipient: string) => Mail) {
    const { accountId } = account
    const forgetPhones = await accountPhones.end(tx, account)
    const userIds = await callers.announceAccountChange(tx, accountId)
    for (const { email } of await findAdmins(tx, accountId)) await outbox.post(tx, mailTo(email))
    return () => {
      for (const id of userIds) callers.forget(id)
      forgetPhones()
      outbox.wake()
      return accountId
    }
  }

  /** Calls that were placed while their account was being suspended. */
  async function tick() {
    const accountIds = await findSuspended(db)
    if (accountIds.length > 0) await requestHangUps(callsDb, accountIds)
  }

  return { suspend, release, tick }
}
export type Suspensions = ReturnType<typeof createSuspensions>
