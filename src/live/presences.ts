/** Tells who of an account can be reached now (D674). */
import { selectLiveParties } from '../calls/list/live-parties-store.ts'
import { selectPresences } from '../extensions/presences-store.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import type { Caller } from '../users/caller.ts'
import { activitiesOf, presenceOf } from './presence.ts'

export function createPresences({ db, clock }: { db: Database; clock: Clock }) {
  /** The state alone: with whom somebody talks stays hidden from those who may not see the call (D599). */
  async function list({ accountId }: Caller) {
    const [extensions, calls] = await Promise.all([
      selectPresences(db, accountId, clock.now()),
      selectLiveParties(db, accountId),
    ])
    const activities = activitiesOf(calls)
    return extensions.map((extension) => ({
      ...extension,
      presence: presenceOf(extension, activities.get(extension.number)),
    }))
  }

  return { list }
}
export type Presences = ReturnType<typeof createPresences>
