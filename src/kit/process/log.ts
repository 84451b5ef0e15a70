/** The log: JSON lines, or text for people; secrets and personal numbers are masked in both. */
import { isatty } from 'node:tty'
import { type DestinationStream, type Logger, pino } from 'pino'
import { formatLogLine } from '../text/log-text.ts'
import { standardOutput, standardOutputFd } from './standard-output.ts'

export type Log = Logger & {
  /** Writes a finished JSON line of level info without masking: for the line of every request, whose parts are safe. */
  line(json: string): void
  /** The last warnings and errors of this process, the oldest first. */
  recentProblems(): LoggedProblem[]
}

export type LoggedProblem = { at: string; level: 'warn' | 'error'; text: string }

const keptProblems = 50

/**
 * Access tokens and secrets (38 or more letters and digits in a row), tax ids with or without punctuation, and phone
 * numbers (10 to 14 digits). The last two characters stay, so that lines can be matched with each other.
 */
const sensitive =
  /(?<![\w-])(?:whsec_[\w+/=]{8,}|[A-Za-z0-9]{38,}|\d{3}\.\d{3}\.\d{3}-\d{2}|\w{2}\.\w{3}\.\w{3}\/\w{4}-\d{2}|\+?\d{10,14})(?![\w-])/g

/** Fields that are masked because of their name, whatever their value. */
const secretFields = /"(password|senha|token|authorization|secret|cpfCnpj|taxId)":"(?:[^"\\]|\\.)*"/gi

export function mask(line: string): string {
  return line.replace(secretFields, '"$1":"***"').replace(sensitive, (found) => `***${found.slice(-2)}`)
}

/** D173: `auto` is `pretty`, lines for people, at a terminal and JSON elsewhere. */
type LogFormat = 'auto' | 'pretty' | 'json'

type Options = { format?: LogFormat; destination?: DestinationStream }

export function createLog(level: string, { format = 'json', destination }: Options = {}): Log {
  const raw = destination ?? standardOutput()
  const atTerminal = destination === undefined && isatty(standardOutputFd)
  const isPretty = format === 'pretty' || (format === 'auto' && atTerminal)
  const out = isPretty ? writeText(raw, atTerminal && !process.env.NO_COLOR) : raw
  const problems: string[] = []
  function maskAndKeep(line: string): string {
    const masked = mask(line)
    if (/^\{"level":"(?:warn|error|fatal)"/.test(masked) && problems.push(masked) > keptProblems)
      problems.shift()
    return masked
  }
  const log = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${isoNow()}"`,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: maskAndKeep },
    },
    out,
  )
  const wanted = log.isLevelEnabled('info')
  return Object.assign(log, {
    line(json: string) {
      if (wanted) out.write(`${json}\n`)
    },
    recentProblems: () => problems.map(readProblem),
  })
}

function readProblem(line: string): LoggedProblem {
  const { level, time, msg, err } = JSON.parse(line) as Record<string, string> & {
    err?: { message?: string }
  }
  const text = [msg, err?.message].filter((part) => part !== undefined && part !== '').join(': ')
  return { at: time ?? '', level: level === 'warn' ? 'warn' : 'error', text }
}

function writeText(raw: DestinationStream, colour: boolean): DestinationStream {
  return { write: (line) => raw.write(formatLogLine(line, { colour })) }
}

let lastMs = 0
let lastIso = ''

/** The current time as ISO text, formatted once for all lines of a millisecond. */
export function isoNow(): string {
  const now = Date.now()
  if (now !== lastMs) {
    lastMs = now
    lastIso = new Date(now).toISOString()
  }
  return lastIso
}
