/**
 * Rotates the secret key (D207). It can be killed at any moment and run again:
 *
 *   every process has the new key ──▶ every process seals with it ──▶ values re-encrypted ──▶ the old key is forgotten
 *
 * Values carry the id of their key, so both kinds are readable all the time and what is left to do is found in the tables.
 */
import { sql } from 'kysely'
import type { Vault } from '../../kit/vault.ts'
import type { Database } from '../database.ts'
import { sealedColumns } from './byte-columns.ts'
import { SecretKeyError, type SecretKeys } from './key-files.ts'
import { type KeyHolderRow, notifyKeyHolders, readKeyHolders } from './key-holder.ts'
import { forgetPreviousKey, readKeyState, switchActiveKey } from './open-vault.ts'
import { resealColumn } from './reseal.ts'
import type { StoredKeys } from './stored-keys.ts'

/** One rotation, or reset, at a time. */
export const lockId = 72_642_512
const pollMs = 250
/** Processes report every 10 s, and at once when they are notified. */
const maxWaitMs = 30_000
/** A request may hold a value sealed with the old key for as long as a statement may take (20 s). */
const settleMs = 30_000

type Deps = {
  db: Database
  vault: Vault
  keys: SecretKeys
  storedKeys: StoredKeys
  pause: (ms: number) => Promise<unknown>
  /** Receives a sentence for the operator. */
  report: (line: string) => void
}

type Options = {
  /** Makes all links to recordings that were sent so far invalid. */
  revokeLinks: boolean
}

export function createKeyRotation({ db, vault, keys, storedKeys, pause, report }: Deps) {
  async function rotate({ revokeLinks }: Options) {
    await db.connection().execute(async (connection) => {
      const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_lock(${lockId}) as free`.execute(
        connection,
      )
      if (!rows[0]?.free) throw new SecretKeyError('Another rotation of the secret key is running.')
      try {
        await run()
        if (revokeLinks) await revoke()
      } finally {
        await sql`select pg_advisory_unlock(${lockId})`.execute(connection)
      }
    })
  }

  async function run() {
    const to = vault.add(keys.next())
    const { active } = await readKeyState(db)
    if (active !== to) {
      await holders('have the new key', (holder) => holder.keys.includes(to))
      await db.transaction().execute((tx) => switchActiveKey(tx, { from: active, to }))
    }
    vault.sealWith(to)
    const running = await holders('seal with the new key', (holder) => holder.seals_with === to)
    report(
      running === 0 ? 'No process is running.' : `Running processes that seal with the new key: ${running}.`,
    )
    await resealAll(running > 0)
    await forgetPreviousKey(db)
    keys.finish()
  }

  /** Waits until every running process does; returns their number. */
  async function holders(what: string, does: (holder: KeyHolderRow) => boolean): Promise<number> {
    await notifyKeyHolders(db)
    for (let waited = 0; ; waited += pollMs) {
      const all = await readKeyHolders(db)
      const late = all.filter((holder) => !does(holder))
      if (late.length === 0) return all.length
      if (waited >= maxWaitMs) {
        const names = late.map(({ process }) => process).join(', ')
        throw new SecretKeyError(`These processes do not ${what} yet: ${names}. ${keys.advice}`)
      }
      await pause(pollMs)
    }
  }

  /** Repeats until a pass finds nothing, 30 s after the one before it. */
  async function resealAll(isRunning: boolean) {
    for (let pass = 1; ; pass++) {
      let changed = 0
      for (const column of sealedColumns) {
        const count = await resealColumn({ db, vault, column })
        if (count > 0) report(`${column.table}.${column.column}: ${count} re-encrypted.`)
        changed += count
      }
      const isSettled = !isRunning || pass > 1
      if (changed === 0 && isSettled) return
      if (isRunning) await pause(settleMs)
    }
  }

  async function revoke() {
    await storedKeys.replace('recording links')
    await notifyKeyHolders(db)
    report('All links to recordings that were sent so far are invalid.')
  }

  return { rotate }
}
