/** What an error of the database means: a violated constraint, a database that is down, a conflict that will pass. */
import pg from 'pg'

/** The name of the unique constraint that an insert or update violated, if that was the error. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined
}

/**
 * SQLSTATEs that say the database cannot serve us now: classes for connections (08), logins (28), a missing
 * database (3D), resources (53) and the machine (58); shutting down, starting up, out of time, closed to us.
 */
const unavailable = /^(08|28|3D|53|58|57P0|57014|25P03|55000)/
const connectionCalls = new Set(['connect', 'read', 'write', 'getaddrinfo'])
const poolMessages = /timeout exceeded when trying to connect|Connection terminated|Client has encountered/

/**
 * Whether the same may succeed when tried again: the database is away, or another transaction stood in the way.
 * What broke on the way to it counts as away; what it judged, and our own mistakes, do not.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return isDatabaseDown(error) || /^40/.test(error.code ?? '')
  return !(error instanceof TypeError || error instanceof RangeError)
}

/** Whether the database, not the request, was the reason. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof pg.DatabaseError) return unavailable.test(error.code ?? '')
  if ('syscall' in error) return connectionCalls.has(String(error.syscall))
  return poolMessages.test(error.message)
}
