/** Keys of our own making, stored sealed: what they sign or encrypt stays valid when the secret key is rotated (D207). */
import { randomBytes } from 'node:crypto'
import type { Vault } from '../../kit/vault.ts'
import type { Database } from '../database.ts'
import { byteColumns } from './byte-columns.ts'

const { purpose } = byteColumns.stored_keys.key
const keyBytes = 32

export type StoredKeyName = 'recording links' | 'recordings' | 'calls between nodes'

type Deps = { db: Database; vault: Vault }

export function createStoredKeys({ db, vault }: Deps) {
  const keys = new Map<StoredKeyName, Buffer>()

  /** If several processes start at the same time, one of them stores its key, and all use that one. */
  async function load(name: StoredKeyName, make: () => Buffer = () => randomBytes(keyBytes)) {
    await db
      .insertInto('stored_keys')
      .values({ name, key: seal(name, make()) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await read(name)
  }

  async function read(name: StoredKeyName) {
    const { key } = await db
      .selectFrom('stored_keys')
      .select('key')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    keys.set(name, open(name, key))
  }

  /** What was signed with the key so far becomes invalid. */
  async function replace(name: StoredKeyName) {
    const key = seal(name, randomBytes(keyBytes))
    await db
      .insertInto('stored_keys')
      .values({ name, key })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ key }))
      .execute()
    await read(name)
  }

  /** The name is sealed with the key, so that rows cannot be exchanged. */
  function seal(name: StoredKeyName, key: Buffer): Buffer {
    return vault.seal(purpose, `${name}\n${key.toString('hex')}`)
  }

  function open(name: StoredKeyName, sealed: Buffer): Buffer {
    const [sealedName, hex = ''] = vault.open(purpose, sealed).split('\n')
    if (sealedName !== name) throw new Error(`the stored key of ${name} is that of ${sealedName}`)
    return Buffer.from(hex, 'hex')
  }

  return {
    load,
    replace,
    /** Reads again what was loaded: another process may have replaced it. */
    async refresh() {
      for (const name of keys.keys()) await read(name)
    },
    get(name: StoredKeyName): Buffer {
      const key = keys.get(name)
      if (!key) throw new Error(`the stored key of ${name} was not loaded`)
      return key
    },
  }
}
export type StoredKeys = ReturnType<typeof createStoredKeys>
