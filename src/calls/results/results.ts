/** Reads and changes what came of calls (D592), and the outcomes that an account chooses from (D593). */
import type { CallPatch, Outcome } from '../../contract/calls/call-results.ts'
import { refuse } from '../../contract/errors.ts'
import type { Clock } from '../../kit/clock.ts'
import { isUuid } from '../../kit/ids.ts'
import type { Language } from '../../kit/text/language.ts'
import type { Database } from '../../store/database.ts'
import { recordAudit } from '../../users/audit/audit.ts'
import type { Caller } from '../../users/caller.ts'
import { checkMay } from '../../users/permissions.ts'
import type { CallAnnouncer, CallSnapshot } from '../announcer.ts'
import { findOwnCalls } from '../visibility/call-visibility.ts'
import { isOwnCall } from '../visibility/own-calls.ts'
import { readOutcomes, suggestedOutcomes } from './outcome.ts'
import { applyPatch, isSameResult, noResult } from './result.ts'
import {
  lockCall,
  lockOutcomes,
  replaceOutcomes,
  selectChanges,
  selectOutcomes,
  selectResults,
  storeChange,
} from './results-store.ts'

type Deps = {
  db: Database
  clock: Clock
  announcer: Pick<CallAnnouncer, 'announce' | 'publish' | 'updateOf'>
  languageOf: (account: Pick<Caller, 'accountId'>) => Promise<Language>
}

export function createCallResults({ db, clock, announcer, languageOf }: Deps) {
  async function outcomes({ accountId }: Pick<Caller, 'accountId'>): Promise<Outcome[]> {
    const own = await selectOutcomes(db, accountId)
    return own.length > 0 ? own : suggestedOutcomes(await languageOf({ accountId }))
  }

  async function setOutcomes(caller: Caller, given: readonly Outcome[]): Promise<Outcome[]> {
    const { accountId, user } = caller
    const read = readOutcomes(given)
    await db.transaction().execute(async (tx) => {
      await lockOutcomes(tx, accountId)
      await replaceOutcomes(tx, accountId, read)
      await recordAudit(tx, {
        accountId,
        at: clock.now(),
        action: 'account.updated',
        actor: user.email,
        details: { changed: ['outcomes'] },
      })
    })
    return await outcomes(caller)
  }

  /** A patch that changes nothing is no change: it has no history and no event. */
  async function change(caller: Caller, id: string, patch: CallPatch): Promise<void> {
    if (!isUuid(id)) throw refuse('CALL_NOT_FOUND')
    const offered = (await outcomes(caller)).map(({ key }) => key)
    const own = await findOwnCalls(db, caller)
    const receivers = await db.transaction().execute(async (tx) => {
      const call = await lockCall(tx, caller.accountId, id)
      if (!call || (own && !isOwnCall(own, call))) throw refuse('CALL_NOT_FOUND')
      checkMay(caller, isOwn(caller, call) ? 'calls.update-own' : 'calls.update-others')
      const stored = (await selectResults(tx, [id])).get(id)
      const result = applyPatch(stored ?? noResult, patch, offered)
      if (isSameResult(stored ?? noResult, result)) return []
      const { user } = caller
      const revision = (stored?.revision ?? 0) + 1
      await storeChange(tx, { call, result, revision, at: clock.now(), user })
      const update = { ...result, revision, by: user.uuid }
      return await announcer.announce(tx, [announcer.updateOf(call, update)])
    })
    announcer.publish(receivers)
  }

  const changes = ({ accountId }: Caller, id: string) => selectChanges(db, accountId, id)

  return { outcomes, setOutcomes, change, changes }
}
export type CallResults = ReturnType<typeof createCallResults>

/** The user who placed or took the call, or whose extension it was. */
function isOwn({ user }: Caller, call: CallSnapshot): boolean {
  return call.user_uuid === user.uuid || call.extension_user_uuid === user.uuid
}
