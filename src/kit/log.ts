/** The log: one JSON line per thing that happened. Whatever is written passes the mask first. */
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/**
 * Access tokens and secrets (38 letters and digits or more in a row), masked and bare tax ids, and phone
 * numbers: digits in runs of 10 to 14. Their last two characters stay, so that two lines can be matched.
 */
const sensitive =
  /(?<![\w-])(?:whsec_[\w+/=]{8,}|[A-Za-z0-9]{38,}|\d{3}\.\d{3}\.\d{3}-\d{2}|\w{2}\.\w{3}\.\w{3}\/\w{4}-\d{2}|\+?\d{10,14})(?![\w-])/g

export function mask(line: string): string {
  return line.replace(secretFields, '"$1":"***"').replace(sensitive, (found) => `***${found.slice(-2)}`)
}

/** Lines are written together, this late at most. */
const flushMs = 200

/** Fields whose names promise a secret, whatever they hold. */
const secretFields = /"(password|senha|token|authorization|secret|cpfCnpj)":"(?:[^"\\]|\\.)*"/gi

export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: mask },
    },
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 8_192, periodicFlush: flushMs }),
  )
}
