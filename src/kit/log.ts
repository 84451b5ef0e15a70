/** The log: one JSON line per thing that happened. Whatever is written passes the mask first. */
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger & {
  /** For the one line of every request: JSON already, made of parts that need no mask. Level info. */
  line(json: string): void
}

/**
 * Access tokens and secrets (38 letters and digits or more in a row), masked and bare tax ids, and phone
 * numbers: digits in runs of 10 to 14. Their last two characters stay, so that two lines can be matched.
 */
const sensitive =
  /(?<![\w-])(?:whsec_[\w+/=]{8,}|[A-Za-z0-9]{38,}|\d{3}\.\d{3}\.\d{3}-\d{2}|\w{2}\.\w{3}\.\w{3}\/\w{4}-\d{2}|\+?\d{10,14})(?![\w-])/g

/** Fields whose names promise a secret, whatever they hold. */
const secretFields = /"(password|senha|token|authorization|secret|cpfCnpj|taxId)":"(?:[^"\\]|\\.)*"/gi

export function mask(line: string): string {
  return line.replace(secretFields, '"$1":"***"').replace(sensitive, (found) => `***${found.slice(-2)}`)
}

/** Lines are written together, this late at most. */
const flushMs = 200

export function createLog(level: string, destination?: DestinationStream): Log {
  const out =
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 8_192, periodicFlush: flushMs })
  const log = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${isoNow()}"`,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: mask },
    },
    out,
  )
  const wanted = log.isLevelEnabled('info')
  return Object.assign(log, {
    line(json: string) {
      if (wanted) out.write(`${json}\n`)
    },
  })
}

let lastMs = 0
let lastIso = ''

/** The time of a line; many share a millisecond. */
export function isoNow(): string {
  const now = Date.now()
  if (now !== lastMs) {
    lastMs = now
    lastIso = new Date(now).toISOString()
  }
  return lastIso
}
