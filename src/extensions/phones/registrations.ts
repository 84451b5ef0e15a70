/**
 * Stores the registrations that the voice engine reports: for calls, for the lists, and for the next start. One write
 * runs at a time; changes that arrive during it are batched into the next one. D423: `onEvent` resolves when the batch
 * with its event is committed.
 *
 * D500: the table may lose rows, and notices may be missed. A refresh writes the row whether it is there or not, and
 * `compare` brings the phones of this node and the table together again.
 */
import type { ExtensionName, Registration, RegistrationEvent } from '../../engine/port.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import type { MovedPhone, Phones } from './phones.ts'
import {
  type Displacement,
  deleteRegistrations,
  findNamesAt,
  findRegistrations,
  findStoredPhones,
  insertDisplaced,
  type RenewedRegistration,
  type StoredPhone,
  takeOverRegistrations,
  upsertRegistrations,
} from './registrations-store.ts'

type Deps = {
  db: Database
  /** The database's, so that the times of two nodes can be compared. */
  clock: Clock
  /** The id of this process, to which its registrations refer. */
  node: string
  /** Where its phones reach it. The next process at this address takes over its registrations; undefined if there is none. */
  address: string | undefined
  phones: Pick<Phones, 'announceMoved'>
  /** From the engine: the phone of an extension at this node, and an end of its registration. */
  find(extension: ExtensionName): Registration | undefined
  forget(extension: ExtensionName): void
  onError(error: unknown): void
  /** Called after the commit, for those who watch phones live (D298). */
  onChanged?: ((extensions: ExtensionName[]) => void) | undefined
}

/** The newest state of an extension; without a registration its phone is gone. */
type Change = { extension: ExtensionName; registration: RenewedRegistration | undefined; isNew: boolean }

/** A phone of this node. */
type PhoneHere = { extension: ExtensionName; renewedAt: Date; writtenAt: Date | undefined }

/** Kept while the database is away. Registrations need no bound: an extension has one at most. */
const maxDisplacements = 10_000
/** A phone that refreshes more often is written with the next tick. */
const rewriteMs = 10_000
const namesPerStatement = 1_000

export function createRegistrations(deps: Deps) {
  const { db, clock, node, address, phones, find, forget, onError, onChanged } = deps
  const here = new Map<string, PhoneHere>()
  let changes = new Map<string, Change>()
  let displacements: Displacement[] = []
  let writing: Promise<void> | undefined
  let again = false
  /** Those who wait for the next batch. */
  let waiting: (() => void)[] = []

  function onEvent(event: RegistrationEvent): Promise<void> | undefined {
    const extension = event.type === 'unregistered' ? event.extension : event.registration.extension
    const isThere = event.type !== 'displaced' && event.type !== 'unregistered'
    const isLonger = event.type === 'refreshed' || event.type === 'prolonged'
    const key = keyOf(extension)
    const now = clock.now()
    const before = here.get(key)
    const { writtenAt } = before ?? {}
    // The node with the later REGISTER has the phone.
    const renewedAt = event.type === 'prolonged' ? (before?.renewedAt ?? now) : now
    if (isThere) here.set(key, { extension, renewedAt, writtenAt })
    else here.delete(key)
    const wasNew = isLonger && changes.get(key)?.isNew === true
    changes.set(key, {
      extension,
      registration: isThere ? { ...event.registration, renewedAt } : undefined,
      isNew: event.type === 'registered' || wasNew,
    })
    if (event.type === 'displaced' && displacements.length < maxDisplacements) {
      const { userAgent } = event.registration
      displacements.push({ extension, at: now, details: { userAgent, by: event.by } })
    }
    const isRecent = writtenAt !== undefined && now.getTime() - writtenAt.getTime() < rewriteMs
    if (isLonger && isRecent) return undefined
    const stored = new Promise<void>((resolve) => waiting.push(resolve))
    write().catch(onError)
    return stored
  }

  function write(): Promise<void> {
    again = true
    writing ??= writeAll()
    return writing
  }

  async function writeAll() {
    try {
      while (again) {
        again = false
        const [taken, displaced, stored] = [changes, displacements, waiting]
        changes = new Map()
        displacements = []
        waiting = []
        try {
          await store([...taken.values()], displaced)
          for (const resolve of stored) resolve()
        } catch (error) {
          // Changes that arrived during the write are newer.
          changes = new Map([...taken, ...changes])
          displacements = [...displaced, ...displacements].slice(0, maxDisplacements)
          waiting = [...stored, ...waiting]
          throw error
        }
      }
    } finally {
      // In the same step as the last look at `again`: a change that came in between would wait for the next one.
      writing = undefined
    }
  }

  async function store(taken: Change[], displaced: Displacement[]) {
    const present = taken.flatMap(({ registration }) => registration ?? [])
    const gone = taken.flatMap(({ extension, registration }) => (registration ? [] : [extension]))
    if (taken.length + displaced.length === 0) return
    const writtenAt = clock.now()
    const outcomes = await db.transaction().execute(async (tx) => {
      if (gone.length > 0) await deleteRegistrations(tx, node, gone)
      // A connection may have come late: rows that others wrote meanwhile are not from the future.
      const now = clock.now()
      const stored = present.length > 0 ? await upsertRegistrations(tx, { node, now }, present) : []
      // The node at which the phone was registered before must forget it.
      const moved = stored.filter(({ isStored, before }) => isStored && before !== null && before !== node)
      if (moved.length > 0)
        await phones.announceMoved(
          tx,
          moved.map((one) => ({ ...nameOf(one), renewedAt: one.renewedAt })),
        )
      for (const displacement of displaced) await insertDisplaced(tx, displacement)
      return stored
    })
    for (const { registration } of taken) if (registration) onWritten(registration, writtenAt)
    const lost = new Set(outcomes.filter(({ isStored }) => !isStored).map(keyOf))
    for (const registration of present) if (lost.has(keyOf(registration.extension))) leave(registration)
    const begun = taken.filter(({ isNew, registration }) => isNew && registration)
    const back = outcomes.filter(({ isStored, before }) => isStored && before === null).map(nameOf)
    onChanged?.([...begun.map(({ extension }) => extension), ...back, ...gone])
  }

  function onWritten({ extension }: Registration, at: Date) {
    const phone = here.get(keyOf(extension))
    if (phone) phone.writtenAt = at
  }

  /** The phone has registered at another node since `renewedAt`, and did not come back. */
  function leave({ extension, renewedAt }: Pick<PhoneHere, 'extension' | 'renewedAt'>) {
    const phone = here.get(keyOf(extension))
    if (phone && phone.renewedAt <= renewedAt) forget(extension)
  }

  /** Phones of this node whose rows are missing, older, or newer and of another node. */
  async function compareNames(names: readonly ExtensionName[]) {
    for (let first = 0; first < names.length; first += namesPerStatement) {
      const some = names.slice(first, first + namesPerStatement)
      const rows = new Map((await findStoredPhones(db, some)).map((row) => [keyOf(row), row]))
      // From here on nothing is awaited: what the engine says now is newer than the rows.
      for (const name of some) {
        const phone = here.get(keyOf(name))
        if (phone) mend(phone, rows.get(keyOf(name)))
      }
    }
  }

  function mend({ extension, renewedAt }: PhoneHere, row: StoredPhone | undefined) {
    const [verdict, key] = [judge({ renewedAt, node, now: clock.now() }, row), keyOf(extension)]
    if (verdict === 'left') return forget(extension)
    const registration = verdict === 'unknown' && !changes.has(key) ? find(extension) : undefined
    if (registration)
      changes.set(key, { extension, registration: { ...registration, renewedAt }, isNew: false })
  }

  return {
    onEvent,
    /** Writes refreshed registrations, and all that could not be written before. */
    tick: write,
    /** Call it when notices were missed, and every minute. */
    async compare() {
      await compareNames([...here.values()].map(({ extension }) => extension))
      for (const extension of await findNamesAt(db, node)) {
        const key = keyOf(extension)
        const isGone = !here.has(key) && !changes.has(key)
        if (isGone) changes.set(key, { extension, registration: undefined, isNew: false })
      }
      await write()
    },
    /** Other nodes have these phones. The table is not asked: it may be away, or slow. */
    onMoved(moved: readonly MovedPhone[]) {
      for (const { renewedAt, ...extension } of moved) leave({ extension, renewedAt })
    },
    /** Registrations of phones that were at this address before a restart; they are this node's from now on. */
    async load(): Promise<Registration[]> {
      if (address !== undefined) await takeOverRegistrations(db, { node, address })
      const loaded = await findRegistrations(db, node, clock.now())
      for (const { extension, renewedAt } of loaded)
        here.set(keyOf(extension), { extension, renewedAt, writtenAt: undefined })
      return loaded
    },
  }
}

/** Action for a phone of this node, by its row: it left, the table does not know it, or nothing. */
function judge(
  { renewedAt, node, now }: { renewedAt: Date; node: string; now: Date },
  row: StoredPhone | undefined,
): 'left' | 'unknown' | undefined {
  // The extension was removed, or changed (D74), and the notice missed: the phone must register again.
  if (!row) return 'left'
  if (row.node === null || row.renewedAt === null) return row.changedAt > renewedAt ? 'left' : 'unknown'
  if (row.node === node) return row.renewedAt < renewedAt ? 'unknown' : undefined
  return row.renewedAt >= renewedAt && row.renewedAt <= now ? 'left' : 'unknown'
}

function keyOf({ number, domain }: ExtensionName): string {
  return `${number}@${domain}`
}

function nameOf({ domain, number }: ExtensionName): ExtensionName {
  return { domain, number }
}
