/**
 * D624: the trunks of the service: those of the setting TRUNKS, and those that the operator added, which are stored. Each is
 * on or off. Every process keeps them in memory, and reads them again when it is notified, or may have missed a notice.
 */
import { isDeepStrictEqual } from 'node:util'
import { parseTrunks } from '../../engine/trunk-settings/parse-trunks.ts'
import type { TrunkSettings } from '../../engine/trunk-settings/trunk-settings.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Vault } from '../../kit/vault.ts'
import type { Database } from '../../store/database.ts'
import type { Notices } from '../../store/notices/notices.ts'
import { readTrunks, type TrunkRow, trunksChannel } from './stored-trunks-store.ts'

export const settingsPurpose = 'trunk settings'

export type KnownTrunk = {
  settings: TrunkSettings
  /** `setting`: of TRUNKS. */
  source: 'setting' | 'stored'
  isOn: boolean
}

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
        replace(toKnown(await readTrunks(db)))
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

  function toKnown(rows: TrunkRow[]): KnownTrunk[] {
    const names = new Set(configured.map(({ name }) => name))
    const isOff = new Set(rows.flatMap(({ name, is_on }) => (is_on ? [] : [name])))
    const fromSettings = configured.map((settings) => ({
      ...fromSetting(settings),
      isOn: !isOff.has(settings.name),
    }))
    // A stored trunk whose name TRUNKS has taken since is not used: the setting wins.
    const stored = rows.filter(({ name }) => !names.has(name)).flatMap(open)
    return [...fromSettings, ...stored]
  }

  /** One that cannot be read is left out, and the others work. */
  function open({ name, settings: sealed, is_on: isOn }: TrunkRow): KnownTrunk[] {
    if (!sealed) return []
    try {
      const [settings] = parseTrunks(`[${vault.open(settingsPurpose, sealed)}]`)
      return settings ? [{ settings, source: 'stored', isOn }] : []
    } catch (error) {
      log.error({ err: error, trunk: name }, 'a stored trunk cannot be read, and is not used')
      return []
    }
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
    /** As they are stored now. */
    async readAll(tx: Database = db) {
      return toKnown(await readTrunks(tx))
    },
    serviceNumbers: serviceNumbers as ReadonlySet<string>,
    /** Registers the function that gets the trunks that are on, whenever they have become others. */
    onChanged(listener: (trunks: TrunkSettings[]) => void) {
      onChanged = listener
    },
  }
}
export type StoredTrunks = ReturnType<typeof createStoredTrunks>

const fromSetting = (settings: TrunkSettings): KnownTrunk => ({ settings, source: 'setting', isOn: true })
