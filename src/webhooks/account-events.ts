/**
 * Events of the account's money, for ADMINs, written in the transaction that moves the money. Nothing is published after
 * the commit: the delivery worker finds the deliveries when it searches, within a second.
 */
import type { ChargeEventType } from '../contract/events.ts'
import { uuidv7 } from '../kit/ids.ts'
import type { Centavos } from '../kit/money.ts'
import type { Database } from '../store/database.ts'
import { composeCharge, composeLowBalance, type MovedCharge } from './payload.ts'
import { writeEvents } from './write-events.ts'

/** D125: once each time the balance falls below the threshold. */
export async function announceLowBalance(
  tx: Database,
  { accountId, balance, at }: { accountId: number; balance: Centavos; at: Date },
) {
  const id = uuidv7(at)
  await writeEvents(tx, at, [
    {
      type: 'account-low-balance',
      accountId,
      userId: null,
      subject: { kind: 'account', id: String(accountId) },
      // Each in a stream of its own: none waits for an earlier one.
      stream: id,
      compose: (account, sequence) => composeLowBalance({ id, balance, at }, account, sequence),
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
