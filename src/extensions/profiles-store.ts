/** SQL of extension profiles. Statements are compiled once: they run for every call. */
import { CompiledQuery } from 'kysely'
import type { ExtensionName } from '../engine/port.ts'
import { isVerifiedFor, ownerOfNumber, type ProofPolicy } from '../numbers/ownership-sql.ts'
import type { Database } from '../store/database.ts'
import { defineUnnest } from '../store/unnest.ts'

export type ExtensionProfile = {
  id: number
  number: string
  firstName: string
  lastName: string
  email: string
  /** E.164 without plus. */
  callerNumber: string | null
  /** D187: a verified number of the account. */
  isCallerNumberVerified: boolean
  recordCalls: boolean
  /** The user it belongs to (D148). */
  ownerId: number | null
  ownerUuid: string | null
  accountId: number
  domain: string
  timeZone: string
  /** D616: its account may not call, and is not called. */
  isSuspended: boolean
  /** D675: calls to it are busy. */
  isUndisturbed: boolean
}

export type ProfileKey = Pick<ExtensionProfile, 'accountId' | 'number'>

const keys = defineUnnest<ProfileKey>('key', {
  account_id: ['bigint', ({ accountId }) => accountId],
  number: ['text', ({ number }) => number],
})

/** D325: of an extension that has none it is that of the account. */
const callerNumber = 'coalesce(extensions.caller_number, accounts.default_caller_number)'

/** The statements differ by which proofs of a number count (D187). */
function statements(policy: ProofPolicy) {
  const select = `
    select extensions.id, number, first_name as "firstName", last_name as "lastName", extensions.email,
      ${callerNumber} as "callerNumber", record_calls as "recordCalls", extensions.account_id as "accountId", domain,
      time_zone as "timeZone", user_id as "ownerId", users.uuid as "ownerUuid",
      accounts.suspended_at is not null as "isSuspended", do_not_disturb as "isUndisturbed",
      ${isVerifiedFor('extensions.account_id', callerNumber, policy)} as "isCallerNumberVerified"
    from extensions join accounts on accounts.id = extensions.account_id left join users on users.id = user_id`
  return {
    byNumber: `${select}
      where extensions.account_id = any($1::bigint[])
        and (extensions.account_id, number) in (select * from ${keys.text()})`,
    byName: `${select} where domain = $1 and number = $2`,
    byCallerNumber: `${select}
      where extensions.caller_number = $1 and extensions.account_id = ${ownerOfNumber('$1', policy)}
      order by exists (
          select from registrations where extension_id = extensions.id and expires_at > $2
        ) desc, length(number), number
      limit 100`,
  }
}
const ownsNumber = `
  select 1 from extensions where account_id = $1 and caller_number = $2
  union all select 1 from accounts where id = $1 and default_caller_number = $2 limit 1`

async function find(db: Database, text: string, values: unknown[]): Promise<ExtensionProfile[]> {
  return (await db.executeQuery<ExtensionProfile>(CompiledQuery.raw(text, values))).rows
}

export function defineProfileQueries(policy: ProofPolicy) {
  const { byNumber, byName, byCallerNumber } = statements(policy)
  return {
    findProfiles: (db: Database, wanted: ProfileKey[]) => find(db, byNumber, keys.values(wanted)),

    async findProfileByName(
      db: Database,
      { domain, number }: ExtensionName,
    ): Promise<ExtensionProfile | undefined> {
      return (await find(db, byName, [domain, number]))[0]
    },

    /** Extensions with a registered phone come first, then the lowest number. */
    findProfilesByCallerNumber: (db: Database, number: string, now: Date) =>
      find(db, byCallerNumber, [number, now]),
  }
}

export async function isCallerNumberOf(db: Database, accountId: number, number: string): Promise<boolean> {
  return (await find(db, ownsNumber, [accountId, number])).length > 0
}

/** The numbers of a user's extensions. */
export async function findNumbersOf(db: Database, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('extensions')
    .select('number')
    .where('user_id', '=', userId)
    .orderBy('number')
    .execute()
  return rows.map(({ number }) => number)
}

/** The numbers of all extensions of an account. */
export async function findNumbersOfAccount(db: Database, accountId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('extensions')
    .select('number')
    .where('account_id', '=', accountId)
    .execute()
  return rows.map(({ number }) => number)
}

/** The names of the people of extensions, by number. */
export async function findExtensionNames(db: Database, accountId: number, numbers: string[]) {
  if (numbers.length === 0) return new Map<string, string>()
  const rows = await db
    .selectFrom('extensions')
    .select(['number', 'first_name', 'last_name'])
    .where('account_id', '=', accountId)
    .where('number', 'in', numbers)
    .execute()
  return new Map(rows.map(({ number, first_name, last_name }) => [number, `${first_name} ${last_name}`]))
}
