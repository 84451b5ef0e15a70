/**
 * The passwords of phones, cached because phones register by the thousand. As with callers (D64), a process drops what
 * it changes itself at once, and what another process changed when the database's notice arrives.
 */
import { randomUUID } from 'node:crypto'
import type { Credentials, ExtensionAccount, ExtensionName, TemporaryLogin } from '../../engine/port.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Maybe } from '../../kit/maybe.ts'
import type { Vault } from '../../kit/vault.ts'
import type { Database } from '../../store/database.ts'
import { type Notices, notify } from '../../store/notices/notices.ts'
import { createNotifiedCache } from '../../store/notices/notified-cache.ts'
import { byteColumns } from '../../store/secrets/byte-columns.ts'
import { findSealedPassword, mayUseExtension, readSealedPasswords } from '../extensions-store.ts'

export const sealPurpose = byteColumns.extensions.password.purpose

const channel = 'phones_changed'
const pageSize = 1_000
/** The phone of a browser renews its credentials while it is open. */
const temporarySeconds = 900
/** The clock of a voice node may be behind that of the process that issued them. */
const clockSkewSeconds = 30

/** D500: a phone that registered at another node, and when. */
export type MovedPhone = ExtensionName & { renewedAt: Date }

/** `moved`: only their phones are at another node now, since then. Of a version that does not say when, the next comparison finds them. */
type Notice =
  | { from: string; names: ExtensionName[]; moved?: false }
  | { from: string; names: (ExtensionName & { renewedAt: string })[]; moved: true }

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
  const movedListeners: ((moved: MovedPhone[]) => void)[] = []
  const self = randomUUID()

  notices.listen(channel, (payload) => {
    const notice: Notice = JSON.parse(payload)
    // This process has dropped its own changes already; a phone may have registered again since.
    if (notice.from === self) return
    if (!notice.moved) return changed(notice.names)
    const moved = notice.names.map((one) => ({ ...one, renewedAt: new Date(one.renewedAt) }))
    for (const listener of movedListeners) listener(moved)
  })

  /** Answers synchronously when cached; of a temporary login never, since the rights of its user are looked up each time. */
  function credentials(extension: ExtensionName, login?: TemporaryLogin): Maybe<Credentials | undefined> {
    if (login) return temporaryCredentials(extension, login)
    const key = keyOf(extension)
    const cached = cache.get(key)
    return cached ? cached.value : cache.load(key, () => readCredentials(extension))
  }

  /** Undefined once they have ended, or their user may no longer use the extension, or for an end that is never issued. */
  async function temporaryCredentials(
    extension: ExtensionName,
    login: TemporaryLogin,
  ): Promise<Credentials | undefined> {
    const left = login.until - clock.now().getTime() / 1000
    if (left <= 0 || left > temporarySeconds + clockSkewSeconds) return undefined
    const found = await credentials(extension)
    if (!found || !(await mayUseExtension(db, extension, login.userId))) return undefined
    return { ...found, password: temporaryPassword(extension, found.password, login) }
  }

  /** Bound to the password of the extension: a new one ends them. */
  const temporaryPassword = (
    { number, domain }: ExtensionName,
    password: string,
    { until, userId }: TemporaryLogin,
  ) =>
    vault.sign('phone-credential', [number, domain, until, userId, password].join('\n')).toString('base64url')

  /**
   * D312: for the phone of a browser, so that the password of the extension stays in the service. `end`: of the access token
   * that asks for them, which they do not outlive.
   */
  async function issueTemporary(extension: ExtensionName, userId: number, end: Date | null) {
    const found = await credentials(extension)
    const latest = clock.now().getTime() / 1000 + temporarySeconds
    const until = Math.floor(Math.min(latest, end ? end.getTime() / 1000 : latest))
    return (
      found && {
        username: `${extension.number}.${until}.${userId}`,
        password: temporaryPassword(extension, found.password, { until, userId }),
        expires: new Date(until * 1000),
      }
    )
  }

  async function readCredentials(extension: ExtensionName): Promise<Credentials | undefined> {
    const found = await findSealedPassword(db, extension)
    if (!found) return undefined
    return {
      password: vault.open(sealPurpose, found.password),
      ...(found.blocks && { knownAddresses: found.blocks }),
      ...(found.suspended_at && { isSuspended: true as const }),
    }
  }

  /** Every extension whose account is not suspended, read in pages. */
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
  const announce = (tx: Database, names: readonly ExtensionName[]) => send(tx, names, {})

  /** Call it in the transaction by which phones of other nodes became this node's. */
  const announceMoved = (tx: Database, moved: readonly MovedPhone[]) => send(tx, moved, { moved: true })

  async function send(tx: Database, names: readonly ExtensionName[], how: Pick<Notice, 'moved'>) {
    for (const some of chunksOf(names))
      await notify(tx, channel, JSON.stringify({ from: self, names: some, ...how }))
  }

  return {
    credentials,
    issueTemporary,
    all,
    changed,
    announce,
    announceMoved,
    /** Phones registered at another node. They may have come back since. */
    onMoved(listener: (moved: MovedPhone[]) => void) {
      movedListeners.push(listener)
    },
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
