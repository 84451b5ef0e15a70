/** Names of time zones. */

/** The name in its usual capitals, of an alias the alias; undefined if there is no such zone. An offset is none. */
export function readTimeZone(name: string): string | undefined {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return undefined
  // Most names are in this list; the first format of a process takes 40 ms, which each command would wait for.
  if (Intl.supportedValuesOf('timeZone').includes(name)) return name
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
  } catch {
    return undefined
  }
}
