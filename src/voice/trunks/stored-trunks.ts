/**
 * D624: the trunks of the service: those of the setting TRUNKS, and those that the operator added, which are stored. Each is
 * on or off. Every process keeps them in memory, and reads them again when it is notified, or may have missed a notice.
 */
import { isDeepStrictEqual } from 'node:util'
import type { TrunkSettings } from '../../engine/trunk-settings/trunk-settings.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Vault } from '../../kit/vault.ts'
import type { Database } from '../../store/database.ts'
import type { Notices } from '../../store/notices/notices.ts'
import { fromSetting, type KnownTrunk, readKnownTrunks } from './known-trunks.ts'
import { trunksChannel } from './stored-trunks-store.ts'

type Deps = {
  db: Database
  vault: Pick<Vault, 'open'>
  notices: Pick<Notices, 'listen' | 'onGap' | 'connected'>
  log: Log
  /** Those of TRUNKS. */
  configured: readonly TrunkSettings[]
  onError: (error: unknown) => void
}

export function createStoredTrunks({ db, vault, notices, log, configured, onError }: Deps) {
  let known: KnownTrunk[] = configured.map(fromSetting)
  let loading: Promise<void> | undefined
  /** The trunks may have changed since they were read. */
  let stale = true
  let onChanged = (_trunks: TrunkSettings[]) => {}
  /** D272: numbers of services and of emergency that a trunk takes; always the same set. */
  const serviceNumbers = new Set<string>()
  noteServices()

  notices.listen(trunksChannel, () => {
    stale = true
    load().catch(onError)
  })
  notices.onGap(() => {
    stale = true
  })

  /** Concurrent calls share one load. */
  async function load(): Promise<void> {
    loading ??= read().finally(() => {
      loading = undefined
    })
    await loading
  }

  async function read() {
    while (stale) {
      stale = false
      try {
        replace(await readAll())
      } catch (error) {
        stale = true
        throw error
      }
    }
  }

  function replace(next: KnownTrunk[]) {
    const before = inUse()
    known = next
    noteServices()
    if (!isDeepStrictEqual(inUse(), before)) onChanged(inUse())
  }

  function inUse(): TrunkSettings[] {
    return known.flatMap(({ settings, isOn }) => (isOn ? [settings] : []))
  }

  function noteServices() {
    serviceNumbers.clear()
    for (const { services } of inUse()) for (const number of services) serviceNumbers.add(number)
  }

  /** Without a connection notices are lost, so the trunks are read again until it is back. */
  async function tick() {
    if (!notices.connected()) stale = true
    if (stale) await load()
  }

  /** As they are stored now. */
  async function readAll(tx: Database = db): Promise<KnownTrunk[]> {
    const { known, unreadable } = await readKnownTrunks({ db: tx, configured, vault })
    for (const { name, error } of unreadable) {
      log.error({ err: error, trunk: name }, 'a stored trunk cannot be read, and is not used')
    }
    return known
  }

  return {
    load,
    tick,
    /** Those that are on. */
    inUse,
    /** Whether there are any, on or off. */
    hasAny: () => known.length > 0,
    /** Whether on or off. */
    find: (name: string) => known.find(({ settings }) => settings.name === name),
    readAll,
    serviceNumbers: serviceNumbers as ReadonlySet<string>,
    /** Registers the function that gets the trunks that are on, whenever they have become others. */
    onChanged(listener: (trunks: TrunkSettings[]) => void) {
      onChanged = listener
    },
  }
}
export type StoredTrunks = ReturnType<typeof createStoredTrunks>
