/**
 * Events of the account, for ADMINs, written in the transaction in which they happen. Nothing is published after
 * the commit: the delivery worker finds the deliveries when it searches, within a second.
 */
import type { AlertRule } from '../contract/accounts/account-limits.ts'
import type { ChargeEventType } from '../contract/webhooks/events.ts'
import { uuidv7 } from '../kit/ids.ts'
import type { Centavos } from '../kit/text/money.ts'
import type { Database } from '../store/database.ts'
import { composeAlert, composeCharge, composeLowBalance, type MovedCharge } from './payload.ts'
import { type NewEvent, writeEvents } from './write-events.ts'

/** D125: once each time the balance falls below the threshold. */
export async function announceLowBalance(
  tx: Database,
  { accountId, balance, at }: { accountId: number; balance: Centavos; at: Date },
) {
  await announceAccount(
    tx,
    'account-low-balance',
    accountId,
    at,
    (id) => (account, sequence) => composeLowBalance({ id, balance, at }, account, sequence),
  )
}

type AnnouncedAlert = {
  accountId: number
  rule: AlertRule
  message: string
  details: Record<string, unknown>
  at: Date
}

/** D197: once an hour at most for each rule. */
export async function announceAlert(tx: Database, { accountId, ...alert }: AnnouncedAlert) {
  await announceAccount(
    tx,
    'account-alert',
    accountId,
    alert.at,
    (id) => (account, sequence) => composeAlert({ id, ...alert }, account, sequence),
  )
}

async function announceAccount(
  tx: Database,
  type: 'account-low-balance' | 'account-alert',
  accountId: number,
  at: Date,
  composeWith: (id: string) => NewEvent['compose'],
) {
  const id = uuidv7(at)
  await writeEvents(tx, at, [
    {
      type,
      accountId,
      userId: null,
      subject: { kind: 'account', id: String(accountId) },
      // Each in a stream of its own: none waits for an earlier one.
      stream: id,
      compose: composeWith(id),
    },
  ])
}

/** D127: once when a charge is paid, and each time money of it goes back to the payer. */
export async function announceCharge(tx: Database, type: ChargeEventType, moved: MovedCharge) {
  const { charge, reference, at } = moved
  const id = uuidv7(at)
  await writeEvents(tx, at, [
    {
      type,
      accountId: charge.accountId,
      userId: null,
      subject: { kind: 'charge', id: String(charge.id) },
      stream: reference,
      compose: (account, sequence) => composeCharge({ id, type, ...moved }, account, sequence),
    },
  ])
}
