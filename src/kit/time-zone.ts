/** Names of time zones. */

/** The name as it is usually written; undefined if there is no such zone. An offset such as +03:00 is none. */
export function readTimeZone(name: string): string | undefined {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
