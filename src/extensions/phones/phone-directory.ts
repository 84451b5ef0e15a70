/**
 * Where phones are registered in a fleet. The database is the only directory: a registration counts while the lease of
 * its node is valid.
 */
import type { ExtensionName } from '../../engine/port.ts'
import type { Clock } from '../../kit/clock.ts'
import { createBatcher } from '../../store/batcher.ts'
import type { Database } from '../../store/database.ts'
import { findPhoneNodes, type PhoneNode } from './registrations-store.ts'

const keyOf = ({ domain, number }: ExtensionName) => `${number}@${domain}`

export function createPhoneDirectory({ db, clock }: { db: Database; clock: Clock }) {
  /** Batched: it runs for every call to a phone of another node. */
  const find = createBatcher<ExtensionName, PhoneNode | undefined>(async (names) => {
    const found = await findPhoneNodes(db, names, clock.now())
    const nodes = new Map(found.map(({ extension, node }) => [keyOf(extension), node]))
    return names.map((name) => nodes.get(keyOf(name)))
  })

  return {
    /** The living node at which the phone is registered. */
    find,
  }
}
export type PhoneDirectory = ReturnType<typeof createPhoneDirectory>
