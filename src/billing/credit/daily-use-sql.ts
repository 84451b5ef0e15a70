/** SQL of an account's day, for the statements that change its balance (D193). */

/**
 * Whether the day of a balance goes on; null if none has begun. `balances` is the name of the table in the statement,
 * `at` an SQL expression.
 */
export function dayGoesOn(balances: string, at: string): string {
  return `${balances}.day_began > ${at} - interval '24 hours'`
}
