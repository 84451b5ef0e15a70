/** D624, D668: trunks added, changed, removed and switched by the operator, each with a reason in the operator's log. */
import { isDeepStrictEqual } from 'node:util'
import { maxTrunks, parseTrunks } from '../../engine/trunk-settings/parse-trunks.ts'
import type { TrunkSettings } from '../../engine/trunk-settings/trunk-settings.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Vault } from '../../kit/vault.ts'
import type { Database } from '../../store/database.ts'
import { recordOperatorChange } from '../../users/audit/operator-log.ts'
import { type KnownTrunk, settingsPurpose } from './known-trunks.ts'
import type { StoredTrunks } from './stored-trunks.ts'
import {
  deleteTrunk,
  lockTrunks,
  notifyTrunksChanged,
  readSettings,
  updateSettings,
  writeTrunk,
} from './stored-trunks-store.ts'

type Deps = {
  db: Database
  clock: Clock
  vault: Pick<Vault, 'seal' | 'open'>
  trunks: Pick<StoredTrunks, 'readAll'>
  /** Whether calls go to the sandbox carrier, as without TRUNKS: then there are no other trunks. */
  usesSandbox: boolean
}

type NewTrunk = {
  /** As in TRUNKS. */
  given: Record<string, unknown>
  isOn: boolean
  reason: string
}

type Edit = Pick<NewTrunk, 'given' | 'reason'>

export function createTrunkChanges({ db, clock, vault, trunks, usesSandbox }: Deps) {
  /** Throws TrunksRefusal at settings that cannot be used. */
  async function add({ given, isOn, reason }: NewTrunk): Promise<KnownTrunk | Refused> {
    if (usesSandbox) return 'sandbox'
    const text = JSON.stringify(given)
    const [settings] = parseTrunks(`[${text}]`)
    if (!settings) return 'unknown'
    return await change(async (tx, known) => {
      if (known.some((one) => one.settings.name === settings.name)) return 'taken'
      if (known.length >= maxTrunks) return 'too many'
      const { name, address } = settings
      await writeTrunk(tx, {
        name,
        settings: vault.seal(settingsPurpose, text),
        is_on: isOn,
        changed_at: clock.now(),
      })
      await record(tx, { action: 'trunk.added', subject: name, reason, details: { address, on: isOn } })
      return { settings, source: 'stored', isOn }
    })
  }

  /**
   * Fields that are left out stay as they are, null makes one the default. Live calls go on. Throws TrunksRefusal at settings
   * that cannot be used; nothing changes and nothing is recorded if they are what they were.
   */
  async function edit(name: string, { given, reason }: Edit): Promise<KnownTrunk | Refused> {
    return await change(async (tx, known) => {
      const found = known.find(({ settings }) => settings.name === name)
      const sealed = await readSettings(tx, name)
      if (!found) return 'unknown'
      if (found.source === 'setting' || !sealed) return 'of the setting'
      const before = JSON.parse(vault.open(settingsPurpose, sealed)) as Record<string, unknown>
      const after = withoutNull({ ...before, ...given })
      const [settings] = parseTrunks(JSON.stringify([after]))
      if (!settings) return 'unknown'
      const details = differences(found.settings, settings)
      if (Object.keys(details).length === 0) return found
      await updateSettings(tx, name, vault.seal(settingsPurpose, JSON.stringify(after)), clock.now())
      await record(tx, { action: 'trunk.changed', subject: name, reason, details })
      return { ...found, settings }
    })
  }

  /** Live calls go on. Of a trunk that is so already nothing changes. */
  async function setOn(name: string, isOn: boolean, reason: string): Promise<KnownTrunk | Refused> {
    return await change(async (tx, known) => {
      const found = known.find(({ settings }) => settings.name === name)
      if (!found) return 'unknown'
      if (found.isOn === isOn) return found
      await writeTrunk(tx, { name, settings: null, is_on: isOn, changed_at: clock.now() })
      const action = isOn ? 'trunk.switched-on' : 'trunk.switched-off'
      await record(tx, { action, subject: name, reason, details: { source: found.source } })
      return { ...found, isOn }
    })
  }

  /** Live calls go on. */
  async function remove(name: string, reason: string): Promise<KnownTrunk | Refused> {
    return await change(async (tx, known) => {
      const found = known.find(({ settings }) => settings.name === name)
      if (!found) return 'unknown'
      if (found.source === 'setting') return 'of the setting'
      await deleteTrunk(tx, name)
      const { address } = found.settings
      await record(tx, { action: 'trunk.removed', subject: name, reason, details: { address } })
      return { ...found, isOn: false }
    })
  }

  type Recorded = Omit<Parameters<typeof recordOperatorChange>[1], 'at'>
  const record = (tx: Database, entry: Recorded) => recordOperatorChange(tx, { at: clock.now(), ...entry })

  async function change(
    work: (tx: Database, known: KnownTrunk[]) => Promise<KnownTrunk | Refused>,
  ): Promise<KnownTrunk | Refused> {
    return await db.transaction().execute(async (tx) => {
      await lockTrunks(tx)
      const result = await work(tx, await trunks.readAll(tx))
      if (typeof result !== 'string') await notifyTrunksChanged(tx)
      return result
    })
  }

  return { add, edit, setOn, remove }
}
export type TrunkChanges = ReturnType<typeof createTrunkChanges>

export type Refused = 'unknown' | 'taken' | 'too many' | 'of the setting' | 'sandbox'

const withoutNull = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/** Each field that changed, as it was and as it is; the password only as changed. */
function differences(before: TrunkSettings, after: TrunkSettings): Record<string, string> {
  const changed: Record<string, string> = {}
  const [old, now] = [shown(before), shown(after)]
  for (const field of Object.keys(now)) {
    if (!isDeepStrictEqual(old[field], now[field]))
      changed[field] = `${text(old[field])} → ${text(now[field])}`
  }
  if (before.login?.password !== after.login?.password) changed.password = 'changed'
  return changed
}

/** The transport is part of the address. */
function shown({ login, transport: _, ...settings }: TrunkSettings): Record<string, unknown> {
  return { ...settings, username: login?.username }
}

const text = (value: unknown) => (value === undefined ? '–' : [value].flat().join(' ') || '–')
