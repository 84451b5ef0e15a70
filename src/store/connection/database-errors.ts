/** What an error of the database means: a violated constraint, a database that is down, a conflict that will pass. */
import pg from 'pg'

/** The name of the unique constraint that an insert or update violated, if that was the error. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined
}

/** Foreign keys that fail only if the calling user was deleted during the request. */
const callerReferences = new Set([
  'access_tokens_user_id_fkey',
  'idempotency_keys_user_id_fkey',
  'integrations_user_id_fkey',
])

/** Whether the user who made the request was removed while it ran (D140). */
export function isCallerGone(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '23503' &&
    callerReferences.has(error.constraint ?? '')
  )
}

/**
 * SQLSTATEs of a database that cannot serve us now: connection exceptions (08), refused logins (28), a missing
 * database (3D), insufficient resources (53), system errors (58), shutting down or starting up (57P0), statement and
 * transaction timeouts (57014, 25P03), a database that takes no connections (55000), one that is read-only (25006): a
 * demoted primary, or a provider's full disk.
 */
const downStates = /^(08|28|3D|53|58|57P0|57014|25P03|55000|25006)/

/** SQLSTATEs of a conflict with another transaction: serialization failure, deadlock, lock not available. */
const conflictStates = new Set(['40001', '40003', '40P01', '55P03'])

/** Failures of a connection, as the system names them. */
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** A call that only connections make: it counts whatever its code, `connect ENOENT` of a Unix socket for example. */
const connectionCalls = new Set(['connect', 'getaddrinfo'])

/** Messages of the driver, its pool and the search for a primary about a lost connection, which has no code. */
const driverMessages =
  /^(No server of DATABASE_URL takes writes|timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|Query read timeout)/

/**
 * Whether the same statement may succeed if it is tried again: the database is down, or another transaction was in
 * conflict. Only what the driver reports as such is transient. All else is permanent: a mistake in a statement or in
 * our own code, and a refusal, fail again however often they are retried.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof pg.DatabaseError && conflictStates.has(error.code ?? '')) return true
  return isDatabaseDown(error)
}

/** Whether a table changed under a prepared statement; known by PostgreSQL's routine, since messages are translated. */
export function isOutdatedPlan(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
  )
}

/** Whether a statement that must not take a balance below its threshold would have done so (`refuse_low_balance`). */
export function isLowBalance(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === 'RM001'
}

/** Whether the automaton of a regular expression would be too large. Its syntax was checked before (`writeRegexp`). */
export function isTooComplexRegexp(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '2201B'
}

/** Whether the values are at fault: they violate a constraint (23) or are invalid (22). No later try can store them. */
export function isInvalidData(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
}

/** Whether the database, not the request, was the reason. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof pg.DatabaseError) return downStates.test(error.code ?? '') || isOutdatedPlan(error)
  if ('syscall' in error && connectionCalls.has(String(error.syscall))) return true
  if ('code' in error && connectionCodes.has(String(error.code))) return true
  return driverMessages.test(error.message)
}
