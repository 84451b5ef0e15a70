/**
 * Consequences in one module of what happens in another: when → then. The modules call these functions and do not know each
 * other. What gets `tx` happens in the transaction of its cause.
 */
import type { OnChargeMoved } from '../billing/charges/charge-transitions.ts'
import type { Centavos } from '../kit/text/money.ts'
import type { Alerts } from '../limits/alerts/alerts.ts'
import type { Limits } from '../limits/limits.ts'
import type { Trials } from '../limits/trials.ts'
import type { Database } from '../store/database.ts'
import type { LiveHints } from '../store/notices/live-hints.ts'
import { announceCharge } from '../webhooks/account-events.ts'

type Deps = {
  limits: Pick<Limits, 'prove'>
  alerts: Pick<Alerts, 'raise'>
  liveHints: LiveHints
  /** D480: false where anybody can pay, or name any tax id, for nothing. */
  proves: boolean
  /** A function, because both are made later, from services that take these reactions. */
  books: () => { trials: Trials; grantTrialCredit: (tx: Database, accountId: number) => Promise<void> }
}

type Activated = { id: number; email: string; by: 'email' | 'operator' }
type TaxId = { id: number; email: string; taxId: string }
type PhoneName = { number: string; domain: string }
type Attempt = { integrationId: number; eventId: number }

export function createReactions({ limits, alerts, liveHints, proves, books }: Deps) {
  const onPaid: OnChargeMoved = async (tx, moved) => {
    if (proves) await limits.prove(tx, moved.charge.accountId, 'payment')
    await announceCharge(tx, 'charge-paid', moved)
  }
  const onRefunded: OnChargeMoved = (tx, moved) => announceCharge(tx, 'charge-refunded', moved)

  return {
    /** By its e-mail: it may get trial credit. By the operator, who stands for it: it is proven and gets it. */
    async onActivated(tx: Database, { id, email, by }: Activated) {
      if (by === 'email') return await books().trials.onActivated(tx, id, email)
      await limits.prove(tx, id, 'operator')
      await books().grantTrialCredit(tx, id)
    },
    /** The gateway has accepted it: the account is proven, and may get trial credit. */
    async onTaxId(tx: Database, { id, email, taxId }: TaxId) {
      if (proves) await limits.prove(tx, id, 'tax-id')
      await books().trials.onTaxId(tx, id, email, taxId)
    },
    /** The account is proven, and its webhooks are notified. */
    onPaid,
    onRefunded,
    onSpendingReached: (accountId: number, limit: Centavos) =>
      alerts.raise(accountId, { rule: 'spending-per-day', limit }),
    onCallsAtOnce: (accountId: number, limit: number) =>
      alerts.raise(accountId, { rule: 'calls-at-once', limit }),

    // Those who watch live (D298) read again what has changed.
    onCalls: (callIds: string[]) => liveHints.add('call', callIds),
    onChargeChanged: (tx: Database, chargeId: number) => liveHints.announce(tx, [`charge ${chargeId}`]),
    onAdjusted: (tx: Database, accountId: number) => liveHints.announce(tx, [`balance ${accountId}`]),
    onPhones: (phones: readonly PhoneName[]) =>
      liveHints.add(
        'phone',
        phones.map(({ number, domain }) => `${number}@${domain}`),
      ),
    onAttempts: (attempts: readonly Attempt[]) =>
      liveHints.add(
        'delivery',
        attempts.map(({ integrationId, eventId }) => `${integrationId}/${eventId}`),
      ),
  }
}
export type Reactions = ReturnType<typeof createReactions>
