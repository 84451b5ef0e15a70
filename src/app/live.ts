/** What happens in an account, for those who watch it live (D298). */
import type { Charges } from '../billing/charges/charges.ts'
import type { Ledger } from '../billing/ledger/ledger.ts'
import { createLive } from '../calls/live/live.ts'
import { createLiveReaders } from '../calls/live/readers.ts'
import type { Extensions } from '../extensions/extensions.ts'
import type { Log } from '../kit/log.ts'
import type { Database } from '../store/database.ts'
import type { LiveHints } from '../store/live-hints.ts'
import type { Callers } from '../users/tokens/callers.ts'
import { findDeliveries } from '../webhooks/deliveries-store.ts'

type Deps = {
  base: { db: Database; log: Log; liveHints: LiveHints }
  callers: Callers
  ledger: Ledger
  charges: Charges
  extensions: Extensions
}

export function createLiveService({ base, callers, ledger, charges, extensions }: Deps) {
  const { db, log, liveHints } = base
  const readers = createLiveReaders({
    db,
    phones: extensions.phonesOf,
    balances: ledger.balances,
    deliveries: (accountIds, keys) => findDeliveries(db, accountIds, keys.map(readDeliveryKey)),
    charges: charges.findAll,
  })
  const live = createLive({ hints: liveHints, readers, log })
  callers.onChanged(live.recheck)
  return live
}

/** `integration/event`, as its hint has it. */
function readDeliveryKey(key: string) {
  const [integrationId, eventId] = key.split('/')
  return { integrationId: Number(integrationId), eventId: Number(eventId) }
}
