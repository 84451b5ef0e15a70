/** Money: charges that become credit, the ledger that records it, the tariff that prices calls. */
import type { Clock } from '../kit/clock.ts'
import type { Maybe } from '../kit/maybe.ts'
import type { Log } from '../kit/process/log.ts'
import type { Centavos } from '../kit/text/money.ts'
import type { PaymentGateway } from '../payments/port.ts'
import type { Database } from '../store/database.ts'
import type { Notices } from '../store/notices/notices.ts'
import type { Searches } from '../store/searches.ts'
import { createChargeTransitions, type OnChargeMoved } from './charges/charge-transitions.ts'
import { createCharges } from './charges/charges.ts'
import { createOperatorRefunds } from './charges/operator-refunds.ts'
import type { CustomerOf } from './charges/ordering.ts'
import { createReconciliation } from './charges/reconciliation.ts'
import { createCredit } from './credit/credit.ts'
import type { DailyCeilings } from './credit/daily-use.ts'
import { createAdjustments } from './ledger/adjustments.ts'
import { createLedger, type OnLowBalance } from './ledger/ledger.ts'
import { createRateImports } from './tariff/rate-imports.ts'
import { createTariff } from './tariff/tariff.ts'

type Deps = {
  db: Database
  /** For the credit of calls. */
  callsDb: Database
  searches: Searches
  clock: Clock
  log: Log
  notices: Pick<Notices, 'listen' | 'onGap' | 'connected'>
  gateway: PaymentGateway
  customerOf: CustomerOf
  onError: (error: unknown) => void
  trialCredit: Centavos
  /** D193: the ceilings of an account's day, while its calls last. */
  ceilingsOf?: ((accountId: number) => Maybe<DailyCeilings>) | undefined
  onSpendingReached?: ((accountId: number, ceiling: Centavos) => void) | undefined
  lowBalance: Centavos
  onLowBalance?: OnLowBalance | undefined
  onPaid?: OnChargeMoved | undefined
  onRefunded?: OnChargeMoved | undefined
  /** In the transaction, for those who watch charges live (D298). */
  onChargeChanged?: ((tx: Database, chargeId: number) => Promise<void>) | undefined
  /** In the transaction in which the operator adjusts a balance. */
  onAdjusted?: ((tx: Database, accountId: number) => Promise<void>) | undefined
}

export function createBilling(deps: Deps) {
  const { db, callsDb, searches, clock, log, notices, gateway, customerOf, onError } = deps
  const { ceilingsOf, onSpendingReached, trialCredit, lowBalance, onLowBalance, onPaid, onRefunded } = deps
  const ledger = createLedger({
    db,
    clock,
    searches,
    trialCredit,
    lowBalance,
    onLowBalance,
    onAdjusted: deps.onAdjusted,
  })
  const tariff = createTariff({ db, clock, notices, onError })
  const transitions = createChargeTransitions({
    clock,
    log,
    ledger,
    onPaid,
    onRefunded,
    onChanged: deps.onChargeChanged,
  })
  const charges = createCharges({ db, clock, searches, log, gateway, transitions, customerOf })
  return {
    ledger,
    adjustments: createAdjustments({ db, ledger }),
    tariff,
    credit: createCredit({ db: callsDb, clock, ledger, tariff, ceilingsOf, onSpendingReached }),
    charges,
    operatorRefunds: createOperatorRefunds({ charges }),
    reconciliation: createReconciliation({ db, clock, log, gateway, transitions }),
    rateImports: createRateImports({ db, clock }),
  }
}
