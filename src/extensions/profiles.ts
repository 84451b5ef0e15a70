/** Extensions as calls see them: the phone to ring and the person to name in the call record. */
import { CompiledQuery } from 'kysely'
import type { Destination, ExtensionName, Party } from '../engine/port.ts'
import type { Clock } from '../kit/clock.ts'
import { createBatcher } from '../store/batcher.ts'
import type { Database } from '../store/database.ts'

export type ExtensionProfile = {
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

type Key = Pick<ExtensionProfile, 'accountId' | 'number'>

const textOf = ({ accountId, number }: Key) => `${accountId}/${number}`

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

export function createExtensionProfiles({ db, clock }: { db: Database; clock: Clock }) {
  async function find(text: string, values: unknown[]): Promise<ExtensionProfile[]> {
    return (await db.executeQuery<ExtensionProfile>(CompiledQuery.raw(text, values))).rows
  }

  /** Batched: it runs for every call that is placed. */
  const findOneOfMany = createBatcher<Key, ExtensionProfile | undefined>(async (keys) => {
    const rows = await find(byNumber, [
      keys.map(({ accountId }) => accountId),
      keys.map(({ number }) => number),
    ])
    const profiles = new Map(rows.map((profile) => [textOf(profile), profile]))
    return keys.map((key) => profiles.get(textOf(key)))
  })

  return {
    findByNumber: (accountId: number, number: string) => findOneOfMany({ accountId, number }),
    findByName: async ({ domain, number }: ExtensionName) => (await find(byName, [domain, number]))[0],
    /**
     * D113: all extensions with this caller number, of the account that claimed it first, so that no other account can
     * take its calls by entering the same number. Extensions with a registered phone come first, then the lowest number.
     */
    findByCallerNumber: (number: string): Promise<ExtensionProfile[]> =>
      find(byCallerNumber, [number, clock.now()]),
    isNumberOf: async (accountId: number, number: string) =>
      (await find(ownsNumber, [accountId, number])).length > 0,
  }
}
export type ExtensionProfiles = ReturnType<typeof createExtensionProfiles>

export function nameOf({ domain, number }: ExtensionProfile): ExtensionName {
  return { domain, number }
}

/** D11: colleagues see the extension and its user, others its caller number; without one the trunk's number is shown. */
export function presentedBy(profile: ExtensionProfile, destination: Destination): Party | undefined {
  const { number, firstName, lastName, callerNumber } = profile
  if ('extension' in destination) return { number, name: `${firstName} ${lastName}` }
  return callerNumber === null ? undefined : { number: callerNumber }
}
