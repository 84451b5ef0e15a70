/** What happens in an account, for those who watch it live (D298). */
import type { Charges } from '../billing/charges/charges.ts'
import type { Ledger } from '../billing/ledger/ledger.ts'
import type { Extensions } from '../extensions/extensions.ts'
import type { Log } from '../kit/process/log.ts'
import { createLive } from '../live/live.ts'
import { createLiveReaders } from '../live/readers.ts'
import type { Database } from '../store/database.ts'
import type { LiveHints } from '../store/notices/live-hints.ts'
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
