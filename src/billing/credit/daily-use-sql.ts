/** SQL of an account's day, for the statements that change its balance (D193). */
import { type RawBuilder, sql } from 'kysely'

/** Whether the day of a balance goes on; null if none has begun. `balances` is the name of the table in the statement. */
export function dayGoesOn(balances: string, at: Date): RawBuilder<boolean> {
  return sql`${sql.ref(`${balances}.day_began`)} > ${at}::timestamptz - interval '24 hours'`
}
