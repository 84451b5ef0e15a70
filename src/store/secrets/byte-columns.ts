/**
 * Every column of bytes, and what it holds: a value sealed with the secret key for a purpose, or a hash. A rotation of the
 * key (D207) re-encrypts the sealed ones. A column that is missing here does not compile.
 */
import type { Selectable } from 'kysely'
import type { Tables } from '../tables.ts'

type Sealed = {
  /** As given to the vault: changing it makes stored values unreadable. */
  purpose: string
}
type ByteColumn = Sealed | 'hash'

type ByteColumnsOf<T> = {
  [C in keyof T as Buffer extends T[C] ? C : never]: ByteColumn
}
type TablesWithBytes = {
  [T in keyof Tables as keyof ByteColumnsOf<Selectable<Tables[T]>> extends never ? never : T]: ByteColumnsOf<
    Selectable<Tables[T]>
  >
}

export const byteColumns = {
  access_tokens: { hash: 'hash' },
  attempts: { key: 'hash' },
  extensions: { password: { purpose: 'extension password' } },
  idempotency_keys: { answer: { purpose: 'kept answer' }, fingerprint: 'hash' },
  integrations: {
    secret: { purpose: 'webhook secret' },
    old_secret: { purpose: 'webhook secret' },
    url_login: { purpose: 'webhook login' },
  },
  mails: { body: { purpose: 'mail body' } },
  phone_setup_links: { hash: 'hash' },
  recovery_codes: { hash: 'hash' },
  second_factors: { secret: { purpose: 'second factor' } },
  stored_keys: { key: { purpose: 'stored key' } },
  trial_grants: { person: 'hash' },
  user_links: { hash: 'hash' },
} as const satisfies TablesWithBytes

/** Primary keys of tables where it is not `id`. */
const primaryKeys: Partial<Record<keyof typeof byteColumns, string[]>> = {
  idempotency_keys: ['user_id', 'route', 'key'],
  second_factors: ['user_id'],
  stored_keys: ['name'],
}

export type SealedColumn = { table: string; column: string; purpose: string; primaryKey: string[] }

export const sealedColumns: SealedColumn[] = Object.entries(byteColumns).flatMap(([table, columns]) =>
  Object.entries<ByteColumn>(columns).flatMap(([column, content]) =>
    content === 'hash'
      ? []
      : [
          {
            table,
            column,
            purpose: content.purpose,
            primaryKey: primaryKeys[table as keyof typeof byteColumns] ?? ['id'],
          },
        ],
  ),
)
