/**
 * Every column of bytes, and what it holds: a value sealed with the secret key for a purpose, a hash, or bytes that are
 * no secret. A rotation of the key (D207) re-encrypts the sealed ones, a reset (D243) replaces those whose key is lost. A
 * column that is missing here does not compile.
 */
import type { Selectable } from 'kysely'
import type { Tables } from '../tables.ts'

type Sealed = {
  /** As given to the vault: changing it makes stored values unreadable. */
  purpose: string
  /** D243: what becomes of a value when its key is lost; with `row`, of its row. */
  whenLost: 'replace' | 'clear' | 'remove row'
}
type ByteColumn = Sealed | 'hash' | 'plain'

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
  extensions: { password: { purpose: 'extension password', whenLost: 'replace' } },
  idempotency_keys: { answer: { purpose: 'kept answer', whenLost: 'remove row' }, fingerprint: 'hash' },
  integrations: {
    secret: { purpose: 'webhook secret', whenLost: 'replace' },
    old_secret: { purpose: 'webhook secret', whenLost: 'clear' },
    url_login: { purpose: 'webhook login', whenLost: 'clear' },
  },
  mails: { body: { purpose: 'mail body', whenLost: 'remove row' } },
  operators: {
    // As of users: the codes of the app no longer fit; recovery codes do.
    second_factor: { purpose: 'second factor', whenLost: 'replace' },
    new_factor: { purpose: 'second factor', whenLost: 'clear' },
    link_hash: 'hash',
  },
  operator_recovery_codes: { hash: 'hash' },
  operator_sessions: { hash: 'hash' },
  phone_setup_links: { hash: 'hash' },
  recording_peaks: { extension: 'plain', destination: 'plain' },
  recovery_codes: { hash: 'hash' },
  // The codes of the app no longer fit; recovery codes do.
  second_factors: { secret: { purpose: 'second factor', whenLost: 'replace' } },
  // Secrets are cut before messages are stored (D660).
  sip_traces: { messages: 'plain' },
  stored_keys: { key: { purpose: 'stored key', whenLost: 'remove row' } },
  trial_grants: { person: 'hash' },
  trunks: { settings: { purpose: 'trunk settings', whenLost: 'remove row' } },
  user_links: { hash: 'hash' },
} as const satisfies TablesWithBytes

/** Primary keys of tables where it is not `id`. */
const primaryKeys: Partial<Record<keyof typeof byteColumns, string[]>> = {
  idempotency_keys: ['user_id', 'route', 'key'],
  second_factors: ['user_id'],
  stored_keys: ['name'],
  trunks: ['name'],
}

export type SealedColumn = Sealed & { table: string; column: string; primaryKey: string[] }

export const sealedColumns: SealedColumn[] = Object.entries(byteColumns).flatMap(([table, columns]) =>
  Object.entries<ByteColumn>(columns).flatMap(([column, content]) =>
    typeof content === 'string'
      ? []
      : [
          {
            table,
            column,
            purpose: content.purpose,
            whenLost: content.whenLost,
            primaryKey: primaryKeys[table as keyof typeof byteColumns] ?? ['id'],
          },
        ],
  ),
)
