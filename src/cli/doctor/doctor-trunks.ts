/** The doctor's check of the carriers: trunks of TRUNKS, and those that were added in the operator console (D671). */
import type { Config } from '../../config.ts'
import { type SipProbe, withSipProbe } from '../../engine/probe.ts'
import { createLog } from '../../kit/process/log.ts'
import { openStore } from '../../store/open-store.ts'
import { createSecretKeys } from '../../store/secrets/key-files.ts'
import { openVault } from '../../store/secrets/open-vault.ts'
import { fromSetting, type KnownTrunk, readKnownTrunks } from '../../voice/trunks/known-trunks.ts'
import { type Finding, fine, ill } from './finding.ts'

export async function checkTrunks(config: Config): Promise<Finding[]> {
  const { voice } = config
  if (voice.usesSandbox) return [fine('none: calls go to the sandbox carrier; set TRUNKS for a real one')]
  const { known, problems } = await readKnown(config)
  if (known.length === 0 && problems.length === 0)
    return [fine('none: without one only extensions are called; add it in the operator console')]
  const found = await withSipProbe(voice.host, (probe) =>
    Promise.all(known.map((trunk) => checkTrunk(probe, trunk))),
  )
  return [...found, ...problems]
}

/** Without the database those of TRUNKS are checked alone. */
async function readKnown(config: Config): Promise<{ known: KnownTrunk[]; problems: Finding[] }> {
  try {
    return await readWithStored(config)
  } catch (error) {
    return {
      known: config.voice.trunks.map(fromSetting),
      problems: [ill(`those added in the operator console cannot be read: ${messageOf(error)}`)],
    }
  }
}

async function readWithStored(config: Config) {
  const store = await openStore(config, createLog('silent'))
  try {
    const { db } = store
    const vault = await openVault(db, createSecretKeys(config))
    const { known, unreadable } = await readKnownTrunks({ db, configured: config.voice.trunks, vault })
    const problems = unreadable.map(({ name, error }) =>
      ill(`${name} is stored but not used, as its settings cannot be read (${messageOf(error)})`),
    )
    return { known, problems }
  } finally {
    await store.close()
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function checkTrunk(
  { probeTrunk }: SipProbe,
  { settings, source, isOn }: KnownTrunk,
): Promise<Finding> {
  const { name } = settings
  if (!isOn) return fine(`${name} is switched off in the operator console`)
  const found = await probeTrunk(settings)
  if (!found) {
    const place = source === 'setting' ? 'TRUNKS' : 'it in the operator console'
    return ill(`${name}: its address cannot be found: check ${place} and DNS`)
  }
  const { address, status } = found
  if (status === undefined) return ill(`${name} does not answer OPTIONS at ${address}`)
  return status === 503 ? ill(`${name} is out of service (503)`) : fine(`${name} answers at ${address}`)
}
