/**
 * Missed calls as a list to work off (D600): inbound calls that nobody answered, by the number that called. A number is
 * done once somebody calls it, it calls again and is answered, or somebody marks it.
 */
import type { MissedCall, MissedState } from '../../contract/calls/missed-calls.ts'
import { refuse } from '../../contract/errors.ts'
import { findNumbersOfAccount } from '../../extensions/profiles-store.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import type { Searches } from '../../store/searches.ts'
import type { Caller } from '../../users/caller.ts'
import { findOwnCalls } from '../visibility/call-visibility.ts'
import { deleteMark, deleteOldMarks, type MissedRow, selectMissed, storeMark } from './missed-store.ts'

const daySeconds = 86_400
/** How far back calls are listed at most. */
export const maxMissedDays = 30
const maxListed = 200
/** D676: of an office that misses a hundred calls a day the oldest of the month are not looked at: a page must not read them all. */
const maxLookedAt = 1_000

type Deps = { db: Database; clock: Clock; searches: Searches }

export function createMissedCalls({ db, clock, searches }: Deps) {
  async function read(caller: Caller, days: number): Promise<MissedCall[]> {
    const { accountId } = caller
    const own = await findOwnCalls(db, caller)
    const numbers = own?.numbers ?? (await findNumbersOfAccount(db, accountId))
    const since = plusSeconds(clock.now(), -days * daySeconds)
    const rows = await searches.run(
      accountId,
      (one) => selectMissed(one, { accountId, numbers, since, own, limit: maxLookedAt }),
      'other lists',
    )
    return rows.map(toMissed)
  }

  async function list(caller: Caller, state: MissedState, days: number) {
    const all = await read(caller, days)
    const open = all.filter(({ done }) => done === null)
    const done = all.filter((missed) => missed.done !== null)
    const asked = { open, done, all }[state]
    const isCut = all.reduce((sum, { calls }) => sum + calls, 0) >= maxLookedAt
    return {
      open: open.length,
      ...(isCut && { openIsLowerBound: true as const }),
      data: asked.slice(0, maxListed),
    }
  }

  /** Marks what was missed of the number so far, or takes the mark back. */
  async function mark(caller: Caller, number: string, isDone: boolean): Promise<MissedCall> {
    const { accountId, user } = caller
    const find = async () => {
      const found = (await read(caller, maxMissedDays)).find((missed) => missed.number === number)
      if (!found) throw refuse('CALL_NOT_FOUND')
      return found
    }
    await find()
    const now = clock.now()
    if (isDone) await storeMark(db, { accountId, number, at: now, user })
    else await deleteMark(db, accountId, number)
    await deleteOldMarks(db, accountId, plusSeconds(now, -maxMissedDays * daySeconds))
    return await find()
  }

  return { list, mark }
}
export type MissedCallsService = ReturnType<typeof createMissedCalls>

function toMissed(row: MissedRow): MissedCall {
  const { how, done_at, name, user_uuid, call_id, answered, first_at, last_at, ...missed } = row
  const done =
    how === null || done_at === null
      ? null
      : { how, at: done_at.toISOString(), name: name ?? '', user_uuid, call_id, answered }
  return { ...missed, first_at: first_at.toISOString(), last_at: last_at.toISOString(), done }
}
