/**
 * Alerts (D197): an event `account-alert` and a mail to the ADMINs, once an hour at most for each rule of an account, in
 * one transaction. Alerts only inform: raising one never delays or fails the call that caused it.
 */
import type { Clock } from '../../kit/clock.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Database } from '../../store/database.ts'
import { findAdmins } from '../../users/users-store.ts'
import { announceAlert } from '../../webhooks/account-events.ts'
import { type Alert, alertMail, detailsOf, messageOf } from './alert.ts'
import { claimAlert, readAlerts } from './alerts-store.ts'

/** A process asks the database this often at most, for each rule of an account. */
const askEveryMs = 60_000
const maxRemembered = 10_000

type Deps = { db: Database; clock: Clock; outbox: Outbox; onError: (error: unknown) => void }

export function createAlerts({ db, clock, outbox, onError }: Deps) {
  const raisedAt = new Map<string, number>()

  /** Returns at once; the alert is written in the background. */
  function raise(accountId: number, alert: Alert) {
    const key = `${accountId}/${alert.rule}`
    const now = clock.now().getTime()
    if (now - (raisedAt.get(key) ?? Number.NEGATIVE_INFINITY) < askEveryMs) return
    if (raisedAt.size >= maxRemembered) raisedAt.clear()
    raisedAt.set(key, now)
    db.transaction()
      .execute((tx) => write(tx, accountId, alert))
      .then(outbox.wake, onError)
  }

  /** In a transaction of the caller. Returns false if the rule raised an alert within the last hour. */
  async function write(tx: Database, accountId: number, alert: Alert): Promise<boolean> {
    const at = clock.now()
    if (!(await claimAlert(tx, accountId, alert.rule, at))) return false
    const { rule } = alert
    const details = detailsOf(alert)
    await announceAlert(tx, { accountId, rule, message: messageOf(alert).en, details, at })
    for (const { email, domain } of await findAdmins(tx, accountId)) {
      await outbox.post(tx, alertMail(email, domain, alert))
    }
    return true
  }

  return {
    raise,
    write,
    wake: outbox.wake,
    recent: (since: Date, limit: number) => readAlerts(db, since, limit),
  }
}
export type Alerts = ReturnType<typeof createAlerts>
