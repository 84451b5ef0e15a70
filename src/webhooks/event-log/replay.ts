/** D606: events of the last 30 days, sent to one integration of the caller: chosen ones, or those of a time. */
import { refuse } from '../../contract/errors.ts'
import type { Integrations } from '../../integrations/integrations.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import type { Caller } from '../../users/caller.ts'
import { findPosition } from '../feed.ts'
import { lateMinutes } from '../feed-store.ts'
import { keptDays } from '../retention.ts'
import { type Replayed, replayChosen, replayRange } from './replay-store.ts'

const batchSize = 1_000
/** Events that one request reads at most. */
const maxBatches = 10

/** `after` goes on behind what an earlier request has read. */
export type ReplayRange = { since: Date; until: Date | undefined; after: number | undefined }

type RangeResult = {
  count: number
  /** The last event that was read, and whether there may be more behind it. */
  cursor: number
  more: boolean
}

type Deps = {
  db: Database
  clock: Clock
  integrations: Pick<Integrations, 'find'>
  onDue: (integrationIds: number[]) => void
}

export function createReplay({ db, clock, integrations, onDue }: Deps) {
  /** Events that are gone, or that the owner of the integration may not see (D83), are left out. */
  async function chosen(caller: Caller, integrationId: number, positions: number[]): Promise<number> {
    const target = await findTarget(caller, integrationId)
    const { count } = await replayChosen(db, target, positions)
    if (count > 0) onDue([integrationId])
    return count
  }

  async function range(
    caller: Caller,
    integrationId: number,
    { since, until = clock.now(), after }: ReplayRange,
  ): Promise<RangeResult> {
    const target = await findTarget(caller, integrationId)
    const found = await findPosition(db, caller.accountId, since)
    let cursor = Math.max(after ?? 0, found)
    let count = 0
    let more = true
    for (let batch = 0; more && batch < maxBatches; batch += 1) {
      const read = await replayRange(db, target, { after: cursor, since, until, limit: batchSize })
      count += read.count
      cursor = read.last ?? cursor
      more = mayHaveMore(read, until)
    }
    if (count > 0) onDue([integrationId])
    return { count, cursor, more }
  }

  async function findTarget(caller: Caller, integrationId: number) {
    const { webhook } = await integrations.find(caller, integrationId)
    if (!webhook) throw refuse('WEBHOOK_OFF')
    const now = clock.now()
    // Events that retention may be removing are never queued.
    const oldest = plusSeconds(now, -keptDays * 86_400)
    return { accountId: caller.accountId, integrationId, now, oldest }
  }

  return { chosen, range }
}
export type Replay = ReturnType<typeof createReplay>

/** Positions follow the time of events but for what was committed late. */
function mayHaveMore({ read, lastAt }: Replayed, until: Date): boolean {
  return read === batchSize && (lastAt === null || lastAt < plusSeconds(until, lateMinutes * 60))
}
