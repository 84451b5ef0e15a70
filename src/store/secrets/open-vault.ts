/** Opens the vault, and stores which key the database's values are sealed with. */
import { createVault, fingerprintOf, type Vault } from '../../kit/vault.ts'
import type { Database } from '../database.ts'
import { SecretKeyError, type SecretKeys } from './key-files.ts'

const activeName = 'key fingerprint'
const previousName = 'previous key fingerprint'

const ifLost = 'If it is lost for good: `ramal key reset`.'

/** Fingerprints; `previous` is set until a rotation is complete: some values may still be sealed with that key. */
export type KeyState = { active: string; previous: string | undefined }

export async function openVault(db: Database, keys: SecretKeys): Promise<Vault> {
  const known = await readKeyState(db)
  // D243: a new key file beside a database that is sealed with another would only hide that the old one is missing.
  if (known.active !== '' && !keys.exist()) {
    throw new SecretKeyError(
      `The secret key of this database is missing: bring back secret.key of its data folder, or set SECRET_KEY. ${ifLost}`,
    )
  }
  const [first, ...others] = keys.read()
  if (!first) throw new SecretKeyError('There is no secret key.')
  const vault = createVault(first, ...others)
  await db
    .insertInto('installation')
    .values({ name: activeName, value: fingerprintOf(first) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { active, previous } = await readKeyState(db)
  if (!vault.sealWith(active)) {
    throw new SecretKeyError(
      `The secret key is not the one this database was sealed with: set SECRET_KEY to that one, or bring back secret.key of its data folder. ${ifLost}`,
    )
  }
  if (previous !== undefined && !vault.fingerprints().includes(previous)) {
    throw new SecretKeyError(
      'The rotation of the secret key is not complete, and the old key is missing: set SECRET_KEY_PREVIOUS to it, or bring back secret.key of the data folder, and run `ramal secret rotate`.',
    )
  }
  return vault
}

export async function readKeyState(db: Database): Promise<KeyState> {
  const rows = await db
    .selectFrom('installation')
    .select(['name', 'value'])
    .where('name', 'in', [activeName, previousName])
    .execute()
  const valueNamed = (wanted: string) => rows.find(({ name }) => name === wanted)?.value
  return { active: valueNamed(activeName) ?? '', previous: valueNamed(previousName) }
}

/** From here on, every process seals with `to`. */
export async function switchActiveKey(tx: Database, { from, to }: { from: string; to: string }) {
  await tx.updateTable('installation').set({ value: to }).where('name', '=', activeName).execute()
  await tx
    .insertInto('installation')
    .values({ name: previousName, value: from })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: from }))
    .execute()
}

/** D243: after what the lost key sealed was replaced. */
export async function setActiveKey(tx: Database, active: string) {
  await tx.updateTable('installation').set({ value: active }).where('name', '=', activeName).execute()
  await forgetPreviousKey(tx)
}

export async function forgetPreviousKey(db: Database) {
  await db.deleteFrom('installation').where('name', '=', previousName).execute()
}
