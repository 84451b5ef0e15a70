/**
 * The passwords of phones, cached because phones register by the thousand. As with callers (D64), a process drops what
 * it changes itself at once, and what another process changed when the database's notice arrives.
 */
import { randomUUID } from 'node:crypto'
import type { Credentials, ExtensionAccount, ExtensionName } from '../engine/port.ts'
import type { Clock } from '../kit/clock.ts'
import { andThen, type Maybe } from '../kit/maybe.ts'
import type { Vault } from '../kit/vault.ts'
import type { Database } from '../store/database.ts'
import { type Notices, notify } from '../store/notices.ts'
import { createNotifiedCache } from '../store/notified-cache.ts'
import { byteColumns } from '../store/secrets/byte-columns.ts'
import { findSealedPassword, readSealedPasswords } from './extensions-store.ts'

export const sealPurpose = byteColumns.extensions.password.purpose

const channel = 'phones_changed'
const pageSize = 1_000
/** The phone of a browser renews its credentials while it is open. */
const temporarySeconds = 900

type Notice = { from: string; names: ExtensionName[] }

type Deps = { db: Database; clock: Clock; vault: Vault; notices: Notices }

export function createPhones({ db, clock, vault, notices }: Deps) {
  const cache = createNotifiedCache<Credentials>({
    notices,
    clock,
    lifetimeMs: 600_000,
    maxEntries: 20_000,
    maxMisses: 5_000,
  })
  const listeners: ((extension: ExtensionName) => void)[] = []
  const self = randomUUID()

  notices.listen(channel, (payload) => {
    const { from, names }: Notice = JSON.parse(payload)
    // This process has dropped its own changes already; a phone may have registered again since.
    if (from !== self) changed(names)
  })

  /** Answers synchronously when cached. */
  function credentials(extension: ExtensionName, until?: number): Maybe<Credentials | undefined> {
    const key = keyOf(extension)
    const cached = cache.get(key)
    const found = cached ? cached.value : cache.load(key, () => readCredentials(extension))
    if (until === undefined) return found
    return andThen(found, (kept) => kept && temporaryCredentials(extension, kept, until))
  }

  /** Undefined once they have ended, or if they claim to last longer than any that are issued. */
  function temporaryCredentials(
    extension: ExtensionName,
    { password }: Credentials,
    until: number,
  ): Credentials | undefined {
    const left = until - clock.now().getTime() / 1000
    if (left <= 0 || left > temporarySeconds) return undefined
    return { password: temporaryPassword(extension, password, until) }
  }

  /** Bound to the password of the extension: a new one ends them. */
  const temporaryPassword = ({ number, domain }: ExtensionName, password: string, until: number) =>
    vault.sign('phone-credential', [number, domain, until, password].join('\n')).toString('base64url')

  /** D312: for the phone of a browser, so that the password of the extension stays in the service. */
  async function issueTemporary(extension: ExtensionName) {
    const found = await credentials(extension)
    const until = Math.floor(clock.now().getTime() / 1000) + temporarySeconds
    return (
      found && {
        username: `${extension.number}.${until}`,
        password: temporaryPassword(extension, found.password, until),
        expires: new Date(until * 1000),
      }
    )
  }

  async function readCredentials(extension: ExtensionName): Promise<Credentials | undefined> {
    const sealed = await findSealedPassword(db, extension)
    return sealed && { password: vault.open(sealPurpose, sealed) }
  }

  /** Every extension, read in pages. */
  async function* all(): AsyncIterable<ExtensionAccount> {
    let last = 0
    for (;;) {
      const rows = await readSealedPasswords(db, last, pageSize)
      for (const { id, domain, number, password } of rows) {
        last = id
        yield {
          extension: { domain, number },
          credentials: { password: vault.open(sealPurpose, password) },
        }
      }
      if (rows.length < pageSize) return
    }
  }

  /** Call it after the commit that changed the extensions. */
  function changed(names: readonly ExtensionName[]) {
    cache.invalidate(names.map(keyOf))
    for (const name of names) for (const listener of listeners) listener(name)
  }

  /** Call it in the transaction that changes the extensions: when it commits, other processes drop them from their cache. */
  async function announce(tx: Database, names: readonly ExtensionName[]) {
    for (const some of chunksOf(names)) {
      const notice: Notice = { from: self, names: some }
      await notify(tx, channel, JSON.stringify(notice))
    }
  }

  return {
    credentials,
    issueTemporary,
    all,
    changed,
    announce,
    /** D74: a phone that registered with the old credentials must register again. */
    onChanged(listener: (extension: ExtensionName) => void) {
      listeners.push(listener)
    },
  }
}
export type Phones = ReturnType<typeof createPhones>

/** PostgreSQL takes notices below 8000 bytes. */
const maxNoticeBytes = 7_500

function chunksOf(names: readonly ExtensionName[]): ExtensionName[][] {
  const chunks: ExtensionName[][] = []
  let bytes = maxNoticeBytes
  for (const name of names) {
    const size = Buffer.byteLength(JSON.stringify(name)) + 1
    if (bytes + size > maxNoticeBytes) {
      chunks.push([])
      bytes = 0
    }
    chunks.at(-1)?.push(name)
    bytes += size
  }
  return chunks
}

function keyOf({ number, domain }: ExtensionName): string {
  return `${number}@${domain}`
}
