/** The trunks of the service (D624): those of TRUNKS and those that are stored. */
import type { Config } from '../../config.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Vault } from '../../kit/vault.ts'
import type { Database } from '../../store/database.ts'
import type { Notices } from '../../store/notices/notices.ts'
import { createStoredTrunks } from '../../voice/trunks/stored-trunks.ts'
import { createTrunkChanges } from '../../voice/trunks/trunk-changes.ts'

type Base = {
  db: Database
  clock: Clock
  log: Log
  vault: Vault
  notices: Notices
  onError: (error: unknown) => void
}

export function createTrunkServices({ voice }: Config, { db, clock, log, vault, notices, onError }: Base) {
  const stored = createStoredTrunks({
    db,
    vault,
    notices,
    log,
    configured: voice.trunks,
    onError,
  })
  return {
    stored,
    changes: createTrunkChanges({ db, clock, vault, trunks: stored, usesSandbox: voice.usesSandbox }),
    usesSandbox: voice.usesSandbox,
  }
}
