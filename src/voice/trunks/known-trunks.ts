/** D624: the trunks of the setting TRUNKS and the stored ones, each on or off. */
import { parseTrunks } from '../../engine/trunk-settings/parse-trunks.ts'
import type { TrunkSettings } from '../../engine/trunk-settings/trunk-settings.ts'
import type { Vault } from '../../kit/vault.ts'
import type { Database } from '../../store/database.ts'
import { readTrunks } from './stored-trunks-store.ts'

export const settingsPurpose = 'trunk settings'

export type KnownTrunk = {
  settings: TrunkSettings
  /** `setting`: of TRUNKS. */
  source: 'setting' | 'stored'
  isOn: boolean
}

type Unreadable = { name: string; error: unknown }

type Given = {
  db: Database
  /** Those of TRUNKS. */
  configured: readonly TrunkSettings[]
  vault: Pick<Vault, 'open'>
}

/** Stored trunks that cannot be read are listed apart, and the others work. */
export async function readKnownTrunks({ db, configured, vault }: Given) {
  const rows = await readTrunks(db)
  const names = new Set(configured.map(({ name }) => name))
  const isOff = new Set(rows.flatMap(({ name, is_on }) => (is_on ? [] : [name])))
  const known = configured.map((settings) => ({ ...fromSetting(settings), isOn: !isOff.has(settings.name) }))
  const unreadable: Unreadable[] = []
  for (const { name, settings: sealed, is_on: isOn } of rows) {
    // A stored trunk whose name TRUNKS has taken since is not used: the setting wins.
    if (!sealed || names.has(name)) continue
    try {
      const [settings] = parseTrunks(`[${vault.open(settingsPurpose, sealed)}]`)
      if (settings) known.push({ settings, source: 'stored', isOn })
    } catch (error) {
      unreadable.push({ name, error })
    }
  }
  return { known, unreadable }
}

export const fromSetting = (settings: TrunkSettings): KnownTrunk => ({
  settings,
  source: 'setting',
  isOn: true,
})
