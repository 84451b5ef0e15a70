/** A line of the log for people at a terminal: time of day, level, message, fields; the stack of an error below it. */
import { styleText } from 'node:util'

const colours = { debug: 'dim', info: 'green', warn: 'yellow', error: 'red', fatal: 'red' } as const

/** `json` is a finished line, whose secrets are masked. A line that is not JSON is returned as it is. */
export function formatLogLine(json: string, { colour }: { colour: boolean }): string {
  const entry = parse(json)
  if (!entry) return json
  const { time, level, msg, err, ...fields } = shortenRequest(entry)
  const name = String(level)
  const style = colour && Object.hasOwn(colours, name) ? colours[name as keyof typeof colours] : undefined
  const shown = name.toUpperCase().padEnd(5)
  const line = [
    timeOfDay(String(time)),
    style ? styleText(style, shown, { validateStream: false }) : shown,
    escapeControls(String(msg ?? '')),
    ...Object.entries(fields).map(([key, value]) => `${key}=${formatValue(value)}`),
    ...formatError(err),
  ]
  return `${line
    .filter((part) => part !== '')
    .join(' ')
    .replace(' \n', '\n')}\n`
}

/** The line of every request: its answer in the message. */
function shortenRequest(entry: Record<string, unknown>): Record<string, unknown> {
  const { method, route, status, ms, ...rest } = entry
  if (entry.msg !== 'request' || ms === undefined) return entry
  return { ...rest, msg: `${method} ${route} ${status}, ${ms} ms` }
}

function parse(json: string): Record<string, unknown> | undefined {
  try {
    const entry: unknown = JSON.parse(json)
    return typeof entry === 'object' && entry !== null ? Object.fromEntries(Object.entries(entry)) : undefined
  } catch {
    return undefined
  }
}

/** In the time zone of the machine. */
function timeOfDay(iso: string): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  const two = (number: number) => String(number).padStart(2, '0')
  const milliseconds = String(time.getMilliseconds()).padStart(3, '0')
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${milliseconds}`
}

/** A terminal would obey them: a client that chooses a field of a request must not move the cursor. */
function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Quoted where it would run into the next field. */
function formatValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return escapeControls(typeof value === 'string' && /[\s"]|^$/.test(text) ? JSON.stringify(text) : text)
}

function formatError(err: unknown): string[] {
  if (typeof err !== 'object' || err === null) return err === undefined ? [] : [`err=${formatValue(err)}`]
  const { message, stack } = err as { message?: unknown; stack?: unknown }
  const [, ...below] = typeof stack === 'string' ? stack.slice(stack.indexOf('\n    at ')).split('\n') : []
  return [
    `err=${formatValue(message ?? err)}`,
    ...(below.length > 0 ? [`\n${below.map(escapeControls).join('\n')}`] : []),
  ]
}
