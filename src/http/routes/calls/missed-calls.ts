/** Routes for missed calls (D600). */
import { type MissedCallsService, maxMissedDays } from '../../../calls/missed/missed-calls.ts'
import {
  MissedCall,
  MissedCallPatch,
  MissedCalls,
  missedStates,
} from '../../../contract/calls/missed-calls.ts'
import { refuseParameter } from '../../../contract/errors.ts'
import { readWhole } from '../../../filter/page.ts'
import { type AnyEntry, entry } from '../../entry.ts'

const tag = 'Calls'
const defaultDays = 7

export function missedCallRoutes({ missedCalls }: { missedCalls: MissedCallsService }): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/calls/missed',
      tag,
      about: 'List the numbers whose calls nobody answered, the newest first, with who called them back',
      may: 'calls.list',
      scope: 'calls:read',
      limit: 'other',
      query: {
        state: { about: 'open, which is the default: not called back yet; done; or all', example: 'open' },
        days: { about: `Of the last 1 to ${maxMissedDays} days, ${defaultDays} by default`, example: 7 },
      },
      reply: MissedCalls,
      errors: ['SEARCH_TOO_EXPENSIVE', 'SEARCHES_BUSY'],
      async run({ caller, query: { state = 'open', days = defaultDays } }) {
        const asked = missedStates.find((one) => one === state)
        if (!asked) throw refuseParameter('state', wrongState)
        return await missedCalls.list(caller, asked, readWhole(days, 1, maxMissedDays, 'days'))
      },
    }),
    entry({
      method: 'PATCH',
      path: '/calls/missed',
      tag,
      about: 'Mark the missed calls of a number as done, or take that back',
      may: 'calls.update-own',
      scope: ['calls:place', 'admin'],
      limit: 'other',
      body: MissedCallPatch,
      reply: MissedCall,
      errors: ['CALL_NOT_FOUND', 'SEARCH_TOO_EXPENSIVE', 'SEARCHES_BUSY'],
      run: async ({ caller, body: { number, done } }) => await missedCalls.mark(caller, number, done),
    }),
  ]
}

const wrongState = {
  en: `must be one of ${missedStates.join(', ')}`,
  pt: `deve ser um destes valores: ${missedStates.join(', ')}`,
}
