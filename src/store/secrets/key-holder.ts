/**
 * Keeps the vault of a running process in step with a rotation (D207): reads the key files again, seals with the key that
 * the database names, and reports both in the table of holders, which the rotation waits for.
 */
import { sql } from 'kysely'
import type { Vault } from '../../kit/vault.ts'
import type { Database } from '../database.ts'
import { type Notices, notify } from '../notices/notices.ts'
import { SecretKeyError, type SecretKeys } from './key-files.ts'
import { readKeyState } from './open-vault.ts'
import type { StoredKeys } from './stored-keys.ts'

const channel = 'secret_keys'
export const reportSeconds = 10
/** A process that has not reported for this long is gone. */
const goneSeconds = 6 * reportSeconds
/** By the clock of the database: those of several machines may differ. */
const goneBefore = sql<Date>`now() - make_interval(secs => ${goneSeconds})`

type Deps = {
  db: Database
  vault: Vault
  keys: SecretKeys
  storedKeys: StoredKeys
  notices: Notices
  process: string
}

export function createKeyHolder({ db, vault, keys, storedKeys, notices, process }: Deps) {
  let wake = () => {}
  notices.listen(channel, () => wake())
  vault.onUnknownKey(() => wake())

  async function tick() {
    for (const key of keys.read()) vault.add(key)
    const { active } = await readKeyState(db)
    if (!vault.sealWith(active)) {
      throw new SecretKeyError(
        `The secret key was changed, and this process does not have it. ${keys.advice}`,
      )
    }
    const row = { keys: vault.fingerprints(), seals_with: active, seen_at: sql<Date>`now()` }
    await db
      .insertInto('key_holders')
      .values({ process, ...row })
      .onConflict((conflict) => conflict.column('process').doUpdateSet(row))
      .execute()
    await db.deleteFrom('key_holders').where('seen_at', '<', goneBefore).execute()
    await storedKeys.refresh()
  }

  return {
    tick,
    async release() {
      await db.deleteFrom('key_holders').where('process', '=', process).execute()
    },
    onWake(callback: () => void) {
      wake = callback
    },
  }
}

export type KeyHolderRow = { process: string; keys: string[]; seals_with: string }

/** The processes that run now. */
export async function readKeyHolders(db: Database): Promise<KeyHolderRow[]> {
  return await db
    .selectFrom('key_holders')
    .select(['process', 'keys', 'seals_with'])
    .where('seen_at', '>=', goneBefore)
    .execute()
}

/** Has every process look at its keys now. */
export async function notifyKeyHolders(db: Database) {
  await notify(db, channel, '')
}
