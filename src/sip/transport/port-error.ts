import type { Transport } from './flow.ts'

/** The error for an operator: which port cannot be opened, and why. */
export function cannotListen(transport: Transport, port: number, host: string, cause: unknown): PortError {
  const code = (cause as NodeJS.ErrnoException).code
  const why = reasons.get(code ?? '') ?? `cannot be opened (${code ?? String(cause)})`
  return new PortError(`SIP port ${port} (${transport.toUpperCase()}) on ${host} ${why}`, code, cause)
}

const reasons = new Map([
  ['EADDRINUSE', 'is taken by another program'],
  ['EACCES', 'needs rights this user does not have'],
  ['EADDRNOTAVAIL', 'cannot be opened: the address is none of this machine'],
])

export class PortError extends Error {
  override readonly name = 'PortError'
  readonly code: string | undefined
  constructor(message: string, code: string | undefined, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}
