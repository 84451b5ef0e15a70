/** Who is shown to whom. */
import type { Destination, ExtensionName, Party } from '../engine/port.ts'
import type { Line } from '../extensions/lines.ts'

export function nameOf({ domain, number }: Line): ExtensionName {
  return { domain, number }
}

/** D11: colleagues see the extension and its user, others its number; without one the carrier knows best. */
export function presentedBy(line: Line, destination: Destination): Party | undefined {
  if ('number' in destination) return line.callerNumber === null ? undefined : { number: line.callerNumber }
  return { number: line.number, name: `${line.firstName} ${line.lastName}` }
}
