/**
 * Where phones are, kept in step with what the voice engine tells: for the lists, and for the next start. A new or
 * ended registration is written at once, a refreshed one with the next tick. One write runs at a time, and takes
 * along all that was told meanwhile.
 */
import type { ExtensionName, Registration, RegistrationEvent } from '../engine/port.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import type { Phones } from './phones.ts'
import {
  type Displacement,
  deleteExpired,
  deleteRegistrations,
  findMoved,
  findRegistrations,
  insertDisplaced,
  refreshRegistrations,
  upsertRegistrations,
} from './registrations-store.ts'

type Deps = {
  db: Database
  clock: Clock
  /** The voice node that tells, by the address its phones reach it at: whoever listens there next is their heir. */
  node: string
  phones: Pick<Phones, 'announce'>
  onError(error: unknown): void
}

/** The newest word on an extension; without a registration it has none. */
type Change = { extension: ExtensionName; registration: Registration | undefined; isNew: boolean }

/** While the database is away; registrations need no bound, an extension has one. */
const mostDisplacements = 10_000

export function createRegistrations({ db, clock, node, phones, onError }: Deps) {
  let changes = new Map<string, Change>()
  let displacements: Displacement[] = []
  let writing: Promise<void> | undefined
  let again = false

  function hear(event: RegistrationEvent) {
    const extension = event.type === 'unregistered' ? event.extension : event.registration.extension
    const isThere = event.type === 'registered' || event.type === 'refreshed'
    const key = `${extension.number}@${extension.domain}`
    const wasNew = event.type === 'refreshed' && changes.get(key)?.isNew === true
    changes.set(key, {
      extension,
      registration: isThere ? event.registration : undefined,
      isNew: event.type === 'registered' || wasNew,
    })
    if (event.type === 'displaced' && displacements.length < mostDisplacements) {
      const { userAgent } = event.registration
      displacements.push({ extension, at: clock.now(), details: { userAgent, by: event.by } })
    }
    if (event.type !== 'refreshed') write().catch(onError)
  }

  function write(): Promise<void> {
    again = true
    writing ??= writeAll().finally(() => {
      writing = undefined
    })
    return writing
  }

  async function writeAll() {
    while (again) {
      again = false
      const [taken, told] = [changes, displacements]
      changes = new Map()
      displacements = []
      try {
        await store([...taken.values()], told)
      } catch (error) {
        // What was told meanwhile is newer.
        changes = new Map([...taken, ...changes])
        displacements = [...told, ...displacements].slice(0, mostDisplacements)
        throw error
      }
    }
  }

  async function store(taken: Change[], told: Displacement[]) {
    const of = (isNew: boolean) =>
      taken.flatMap((change) => (change.isNew === isNew ? (change.registration ?? []) : []))
    const [begun, refreshed] = [of(true), of(false)]
    const gone = taken.flatMap(({ extension, registration }) => (registration ? [] : [extension]))
    if (taken.length + told.length === 0) return
    await db.transaction().execute(async (tx) => {
      if (gone.length > 0) await deleteRegistrations(tx, node, gone)
      if (begun.length > 0) {
        // Another node must let go of a phone that came to us.
        const moved = await findMoved(tx, node, begun)
        if (moved.length > 0) await phones.announce(tx, moved)
        await upsertRegistrations(tx, node, begun)
      }
      if (refreshed.length > 0) await refreshRegistrations(tx, node, refreshed)
      for (const displacement of told) await insertDisplaced(tx, displacement)
    })
  }

  return {
    hear,
    /** Writes what waits, and what could not be written before. */
    tick: write,
    /** Of phones that knew us under this name before a restart. */
    load: (): Promise<Registration[]> => findRegistrations(db, node, clock.now()),
    sweep: () => deleteExpired(db, clock.now()),
  }
}
