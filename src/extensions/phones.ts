/**
 * The passwords of phones, remembered for whoever checks them: phones register by the thousand. As with callers (D64),
 * what this process changes it forgets at once, what another changed a moment later, told by the database; while
 * the database cannot tell us, nothing is remembered.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Credentials, ExtensionName } from '../engine/port.ts'
import type { Clock } from '../kit/clock.ts'
import type { Maybe } from '../kit/maybe.ts'
import type { Vault } from '../kit/vault.ts'
import type { Database } from '../store/database.ts'
import type { Notices } from '../store/notices.ts'

export const sealPurpose = 'extension password'

const channel = 'phones_changed'
const rememberedMs = 600_000
const mostPhones = 20_000
/** Names that somebody guessed; however many, they push out no phone. */
const mostUnknown = 5_000

type Known = { credentials: Credentials | undefined; until: number }
type Notice = { from: string; names: ExtensionName[] }

type Deps = { db: Database; clock: Clock; vault: Vault; notices: Notices }

export function createPhones({ db, clock, vault, notices }: Deps) {
  const phones = new Map<string, Known>()
  const unknown = new Map<string, Known>()
  const listeners: ((extension: ExtensionName) => void)[] = []
  const self = randomUUID()
  /** Counts forgettings: what was read from the database before one is not remembered after it. */
  let forgettings = 0

  notices.listen(channel, (payload) => {
    const { from, names }: Notice = JSON.parse(payload)
    // What we changed ourselves we knew first; a phone may have come anew since.
    if (from !== self) changed(names)
  })
  notices.onGap(() => {
    forgettings += 1
    phones.clear()
    unknown.clear()
  })

  /** At once when remembered. */
  function credentials(extension: ExtensionName): Maybe<Credentials | undefined> {
    const key = keyOf(extension)
    const room = phones.has(key) ? phones : unknown
    const known = room.get(key)
    if (!known || known.until <= clock.now().getTime()) return look(extension)
    // The last used is the last to be forgotten.
    room.delete(key)
    room.set(key, known)
    return known.credentials
  }

  async function look(extension: ExtensionName): Promise<Credentials | undefined> {
    const before = forgettings
    const row = await db
      .selectFrom('extensions')
      .innerJoin('accounts', 'accounts.id', 'extensions.account_id')
      .select('extensions.password')
      .where('accounts.domain', '=', extension.domain)
      .where('extensions.number', '=', extension.number)
      .executeTakeFirst()
    const found = row && { password: vault.open(sealPurpose, row.password) }
    if (notices.connected() && forgettings === before) remember(keyOf(extension), found)
    return found
  }

  function remember(key: string, found: Credentials | undefined) {
    forget(key)
    const [room, most] = found ? [phones, mostPhones] : [unknown, mostUnknown]
    const [oldest] = room.keys()
    if (room.size >= most && oldest !== undefined) room.delete(oldest)
    room.set(key, { credentials: found, until: clock.now().getTime() + rememberedMs })
  }

  function forget(key: string) {
    phones.delete(key)
    unknown.delete(key)
  }

  /** After the commit that changed them. */
  function changed(names: readonly ExtensionName[]) {
    forgettings += 1
    for (const name of names) {
      forget(keyOf(name))
      for (const listener of listeners) listener(name)
    }
  }

  /** In the transaction that changes them: the other processes hear of it when it commits. */
  async function announce(tx: Database, names: readonly ExtensionName[]) {
    const notice: Notice = { from: self, names: [...names] }
    await sql`select pg_notify(${channel}, ${JSON.stringify(notice)})`.execute(tx)
  }

  return {
    credentials,
    changed,
    announce,
    /** D74: who registered by what no longer holds must do so anew. */
    onChanged(listener: (extension: ExtensionName) => void) {
      listeners.push(listener)
    },
  }
}
export type Phones = ReturnType<typeof createPhones>

function keyOf({ number, domain }: ExtensionName): string {
  return `${number}@${domain}`
}
