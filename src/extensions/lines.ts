/** Extensions as calls see them: whose phone rings, and what is told of its user. */
import { CompiledQuery } from 'kysely'
import type { ExtensionName } from '../engine/port.ts'
import type { Clock } from '../kit/clock.ts'
import { createBatcher } from '../store/batcher.ts'
import type { Database } from '../store/database.ts'

export type Line = {
  id: number
  number: string
  firstName: string
  lastName: string
  email: string
  /** E.164 without plus. */
  callerNumber: string | null
  recordCalls: boolean
  accountId: number
  domain: string
  timeZone: string
}

type Place = Pick<Line, 'accountId' | 'number'>

const keyOf = ({ accountId, number }: Place) => `${accountId}/${number}`

const select = `
  select extensions.id, number, first_name as "firstName", last_name as "lastName", extensions.email,
    caller_number as "callerNumber", record_calls as "recordCalls", account_id as "accountId", domain,
    time_zone as "timeZone"
  from extensions join accounts on accounts.id = extensions.account_id`

const byNumber = `${select}
  where account_id = any($1::bigint[]) and (account_id, number) in (select * from unnest($1::bigint[], $2::text[]))`
const byName = `${select} where domain = $1 and number = $2`
const byCallerNumber = `${select}
  where caller_number = $1
    and account_id = (select account_id from extensions where caller_number = $1 order by id limit 1)
  order by exists (
      select from registrations where extension_id = extensions.id and expires_at > $2
    ) desc, length(number), number
  limit 100`
const ownsNumber = 'select 1 from extensions where account_id = $1 and caller_number = $2 limit 1'

export function createLines({ db, clock }: { db: Database; clock: Clock }) {
  async function find(text: string, values: unknown[]): Promise<Line[]> {
    return (await db.executeQuery<Line>(CompiledQuery.raw(text, values))).rows
  }

  /** For every call that is placed: those of a moment are looked up together. */
  const findOneOfMany = createBatcher<Place, Line | undefined>(async (places) => {
    const found = await find(byNumber, [
      places.map(({ accountId }) => accountId),
      places.map(({ number }) => number),
    ])
    const lines = new Map(found.map((line) => [keyOf(line), line]))
    return places.map((place) => lines.get(keyOf(place)))
  })

  return {
    findByNumber: (accountId: number, number: string) => findOneOfMany({ accountId, number }),
    findByName: async ({ domain, number }: ExtensionName) => (await find(byName, [domain, number]))[0],
    /**
     * D113: all that show this number, of the account that had it first: nobody takes another's calls by writing down the
     * number. Those whose phone is registered come first, then the lowest number.
     */
    findByCallerNumber: (number: string): Promise<Line[]> => find(byCallerNumber, [number, clock.now()]),
    isNumberOf: async (accountId: number, number: string) =>
      (await find(ownsNumber, [accountId, number])).length > 0,
  }
}
export type Lines = ReturnType<typeof createLines>
