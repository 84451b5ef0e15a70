/**
 * Stores the registrations that the voice engine reports: for the lists, and for the next start. A new or ended
 * registration is written at once, a refreshed one with the next tick. One write runs at a time; changes that arrive
 * during it are batched into the next one. D423: `onEvent` resolves when the batch with its event is committed.
 */
import type { ExtensionName, Registration, RegistrationEvent } from '../engine/port.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import type { Phones } from './phones.ts'
import {
  type Displacement,
  deleteRegistrations,
  findMoved,
  findRegistrations,
  insertDisplaced,
  refreshRegistrations,
  takeOverRegistrations,
  upsertRegistrations,
} from './registrations-store.ts'

type Deps = {
  db: Database
  clock: Clock
  /** The id of this process, to which its registrations refer. */
  node: string
  /** Where its phones reach it. The next process at this address takes over its registrations; undefined if there is none. */
  address: string | undefined
  phones: Pick<Phones, 'announce'>
  onError(error: unknown): void
  /** Called after the commit, for those who watch phones live (D298). */
  onChanged?: ((extensions: ExtensionName[]) => void) | undefined
}

/** The newest state of an extension; without a registration its phone is gone. */
type Change = { extension: ExtensionName; registration: Registration | undefined; isNew: boolean }

/** Kept while the database is away. Registrations need no bound: an extension has one at most. */
const maxDisplacements = 10_000

export function createRegistrations({ db, clock, node, address, phones, onError, onChanged }: Deps) {
  let changes = new Map<string, Change>()
  let displacements: Displacement[] = []
  let writing: Promise<void> | undefined
  let again = false
  /** Those who wait for the next batch. */
  let waiting: (() => void)[] = []

  function onEvent(event: RegistrationEvent): Promise<void> | undefined {
    const extension = event.type === 'unregistered' ? event.extension : event.registration.extension
    const isThere = event.type === 'registered' || event.type === 'refreshed'
    const key = `${extension.number}@${extension.domain}`
    const wasNew = event.type === 'refreshed' && changes.get(key)?.isNew === true
    changes.set(key, {
      extension,
      registration: isThere ? event.registration : undefined,
      isNew: event.type === 'registered' || wasNew,
    })
    if (event.type === 'displaced' && displacements.length < maxDisplacements) {
      const { userAgent } = event.registration
      displacements.push({ extension, at: clock.now(), details: { userAgent, by: event.by } })
    }
    if (event.type === 'refreshed') return undefined
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
    const of = (isNew: boolean) =>
      taken.flatMap((change) => (change.isNew === isNew ? (change.registration ?? []) : []))
    const [begun, refreshed] = [of(true), of(false)]
    const gone = taken.flatMap(({ extension, registration }) => (registration ? [] : [extension]))
    if (taken.length + displaced.length === 0) return
    await db.transaction().execute(async (tx) => {
      if (gone.length > 0) await deleteRegistrations(tx, node, gone)
      if (begun.length > 0) {
        // The node at which the phone was registered before must forget it.
        const moved = await findMoved(tx, node, begun)
        if (moved.length > 0) await phones.announce(tx, moved)
        await upsertRegistrations(tx, node, begun)
      }
      if (refreshed.length > 0) await refreshRegistrations(tx, node, refreshed)
      for (const displacement of displaced) await insertDisplaced(tx, displacement)
    })
    onChanged?.([...begun.map(({ extension }) => extension), ...gone])
  }

  return {
    onEvent,
    /** Writes refreshed registrations, and all that could not be written before. */
    tick: write,
    /** Registrations of phones that were at this address before a restart; they are this node's from now on. */
    async load(): Promise<Registration[]> {
      if (address !== undefined) await takeOverRegistrations(db, { node, address })
      return await findRegistrations(db, node, clock.now())
    },
  }
}
