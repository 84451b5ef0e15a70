/** Calendar months in UTC. */

/** The start of the month `offset` months after that of the moment; negative offsets lie before it. */
export function startOfMonth(at: Date, offset = 0): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset, 1))
}
