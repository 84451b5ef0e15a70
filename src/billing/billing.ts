/** Money: charges that become credit, the ledger that keeps it, the tariff that says what calls cost. */
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { Centavos } from '../kit/money.ts'
import type { PaymentGateway } from '../payments/port.ts'
import type { Database } from '../store/database.ts'
import type { Notices } from '../store/notices.ts'
import { createChargeTransitions, type OnChargeMoved } from './charges/charge-transitions.ts'
import { type CustomerOf, createCharges } from './charges/charges.ts'
import { createReconciliation } from './charges/reconcile.ts'
import { createCredit } from './credit/credit.ts'
import { createLedger, type OnLowBalance } from './ledger/ledger.ts'
import { createRateImports } from './tariff/rate-imports.ts'
import { createTariff } from './tariff/tariff.ts'

type Deps = {
  db: Database
  clock: Clock
  log: Log
  notices: Pick<Notices, 'listen' | 'onGap' | 'connected'>
  gateway: PaymentGateway
  customerOf: CustomerOf
  onError: (error: unknown) => void
  trialCredit: Centavos
  lowBalance: Centavos
  onLowBalance?: OnLowBalance
  onPaid?: OnChargeMoved
  onRefunded?: OnChargeMoved
}

export function createBilling(deps: Deps) {
  const ledger = createLedger(deps)
  const tariff = createTariff(deps)
  const transitions = createChargeTransitions({ ...deps, ledger })
  return {
    ledger,
    tariff,
    credit: createCredit({ ...deps, ledger, tariff }),
    charges: createCharges({ ...deps, transitions }),
    reconciliation: createReconciliation({ ...deps, transitions }),
    rateImports: createRateImports(deps),
  }
}
