/** The key that encrypts stored secrets: given by the operator, or created once in the data folder. */
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVault, type Vault } from '../kit/vault.ts'
import type { Database } from './database.ts'

class SecretKeyError extends Error {
  override name = 'SecretKeyError'
}

/** Processes that start at the same time get the same key: only one of them can create the file. */
export function loadSecretKey(dataDir: string): Buffer {
  const path = join(dataDir, 'secret.key')
  return readKey(path) ?? makeKey(dataDir, path)
}

function readKey(path: string): Buffer | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    if (!/^[0-9a-f]{64}$/.test(text)) throw new SecretKeyError(`${path} does not hold 64 hexadecimal digits.`)
    return Buffer.from(text, 'hex')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function makeKey(dataDir: string, path: string): Buffer {
  mkdirSync(dataDir, { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
  return readKey(path) ?? makeKey(dataDir, path)
}

/** The database stores the key's fingerprint and refuses another key, which could not decrypt its secrets. */
export async function openVault(db: Database, key: Buffer): Promise<Vault> {
  const vault = createVault(key)
  await db
    .insertInto('installation')
    .values({ name: 'key fingerprint', value: vault.fingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { value } = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', 'key fingerprint')
    .executeTakeFirstOrThrow()
  if (value !== vault.fingerprint) {
    throw new SecretKeyError(
      'The secret key is not the one this database was sealed with: set SECRET_KEY to that one, or bring back secret.key of its data folder.',
    )
  }
  return vault
}
