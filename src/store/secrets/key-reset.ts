/**
 * Gives a database whose secret key is lost another one (D243). What only the lost key opens is replaced, cleared or
 * removed, in one transaction; what a key that is there opens is kept.
 */
import { sql } from 'kysely'
import { createVault, fingerprintOf, type Vault } from '../../kit/vault.ts'
import type { Database } from '../database.ts'
import { type SealedColumn, sealedColumns } from './byte-columns.ts'
import { SecretKeyError, type SecretKeys } from './key-files.ts'
import { readKeyHolders } from './key-holder.ts'
import { readKeyState, setActiveKey } from './open-vault.ts'
import { type SealedRow, selectOthers } from './reseal.ts'
import { lockId } from './rotation.ts'

type Deps = {
  db: Database
  keys: SecretKeys
  /** Makes a new value, by purpose, for columns whose lost values are replaced. */
  replacements: Record<string, () => string>
}

/** How many values of a column only the lost key opens. */
export type LostValues = Pick<SealedColumn, 'table' | 'column' | 'whenLost'> & { count: number }

export function createKeyReset({ db, keys, replacements }: Deps) {
  /** Without `isConfirmed` nothing is changed. Returns what is lost. */
  async function reset(isConfirmed: boolean): Promise<LostValues[]> {
    const [first, ...others] = keys.read()
    if (!first) throw new SecretKeyError('There is no secret key.')
    const vault = createVault(first, ...others)
    const lost = await db.transaction().execute(async (tx) => {
      await takeAlone(tx)
      const { active, previous } = await readKeyState(tx)
      const has = (fingerprint: string) => vault.fingerprints().includes(fingerprint)
      if (active === '') throw new SecretKeyError('Nothing is sealed in this database yet.')
      if (has(active) && (previous === undefined || has(previous)))
        throw new SecretKeyError('The secret key is the right one: nothing is lost.')
      if (has(active)) vault.sealWith(active)
      const found = []
      for (const column of sealedColumns) found.push(await replaceLost(tx, vault, column, isConfirmed))
      if (isConfirmed) await setActiveKey(tx, vault.sealsWith())
      return found.filter(({ count }) => count > 0)
    })
    const [next] = others
    if (isConfirmed && next && fingerprintOf(next) === vault.sealsWith()) keys.finish()
    return lost
  }

  async function takeAlone(tx: Database) {
    const { rows } = await sql<{
      free: boolean
    }>`select pg_try_advisory_xact_lock(${lockId}) as free`.execute(tx)
    if (!rows[0]?.free)
      throw new SecretKeyError('The secret key is being rotated or reset by another command.')
    const running = (await readKeyHolders(tx)).map(({ process }) => process)
    if (running.length > 0) {
      throw new SecretKeyError(
        `Stop every process of the service first; these reported within the last minute: ${running.join(', ')}.`,
      )
    }
  }

  async function replaceLost(tx: Database, vault: Vault, column: SealedColumn, isConfirmed: boolean) {
    const { table, column: name, purpose, whenLost } = column
    let count = 0
    let last: unknown[] | undefined
    for (;;) {
      const rows = await selectOthers(tx, column, vault.header(), last)
      if (rows.length === 0) return { table, column: name, whenLost, count }
      for (const row of rows) {
        const text = openOrUndefined(vault, purpose, row)
        if (text === undefined) count += 1
        if (isConfirmed) await change(tx, vault, column, row, text)
      }
      last = rows.at(-1)?.key
    }
  }

  async function change(
    tx: Database,
    vault: Vault,
    { table, column, purpose, primaryKey, whenLost }: SealedColumn,
    { key }: SealedRow,
    text: string | undefined,
  ) {
    const row = sql`(${sql.join(primaryKey.map((name) => sql.ref(name)))}) = (${sql.join(key)})`
    if (text === undefined && whenLost === 'remove row') {
      await sql`delete from ${sql.table(table)} where ${row}`.execute(tx)
      return
    }
    const isCleared = text === undefined && whenLost === 'clear'
    const value = isCleared ? null : vault.seal(purpose, text ?? replacementFor(purpose))
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} where ${row}`.execute(tx)
  }

  function replacementFor(purpose: string): string {
    const make = replacements[purpose]
    if (!make) throw new Error(`no replacement for a lost ${purpose}`)
    return make()
  }

  return { reset }
}

function openOrUndefined(vault: Vault, purpose: string, { sealed }: SealedRow): string | undefined {
  try {
    return vault.open(purpose, sealed)
  } catch {
    return undefined
  }
}
