/** Re-encrypts the values of one column with the key that the vault seals with, in small batches. */
import { sql } from 'kysely'
import type { Vault } from '../../kit/vault.ts'
import type { Database } from '../database.ts'
import type { SealedColumn } from './byte-columns.ts'

const batchSize = 100

export type SealedRow = { sealed: Buffer; key: unknown[] }
type Deps = { db: Database; vault: Vault; column: SealedColumn }

/** Returns the number of values it changed. */
export async function resealColumn({ db, vault, column }: Deps): Promise<number> {
  let changed = 0
  let last: unknown[] | undefined
  for (;;) {
    const rows = await selectOthers(db, column, vault.header(), last)
    if (rows.length === 0) return changed
    changed += await db.transaction().execute(async (tx) => {
      let count = 0
      for (const { key, sealed } of rows) {
        const resealed = vault.seal(column.purpose, vault.open(column.purpose, sealed))
        count += await exchange(tx, column, { key, sealed, resealed })
      }
      return count
    })
    last = rows.at(-1)?.key
  }
}

/** Values of another key, by primary key. */
export async function selectOthers(
  db: Database,
  { table, column, primaryKey }: SealedColumn,
  header: Buffer,
  last: unknown[] | undefined,
): Promise<SealedRow[]> {
  const key = sql.join(primaryKey.map((name) => sql.ref(name)))
  const after = last ? sql`and (${key}) > (${sql.join(last)})` : sql``
  const { rows } = await sql<Record<string, unknown> & { sealed: Buffer }>`
    select ${key}, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${sql.ref(column)} is not null and substr(${sql.ref(column)}, 1, ${header.length}) <> ${header} ${after}
    order by ${key} limit ${batchSize}`.execute(db)
  return rows.map((row) => ({ sealed: row.sealed, key: primaryKey.map((name) => row[name]) }))
}

type Exchange = { key: unknown[]; sealed: Buffer; resealed: Buffer }

/** A value that changed in the meantime is left as it is. */
async function exchange(
  tx: Database,
  { table, column, primaryKey }: SealedColumn,
  { key, sealed, resealed }: Exchange,
): Promise<number> {
  const names = sql.join(primaryKey.map((name) => sql.ref(name)))
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${resealed}
    where (${names}) = (${sql.join(key)}) and ${sql.ref(column)} = ${sealed}`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
