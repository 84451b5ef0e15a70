/** Splits bytes into the start line and headers: line ends, folding, header names. Values are parsed elsewhere. */

import type { Header, WithHeaders } from '../header.ts'
import { limits } from '../limits.ts'
import { knownName, onceOnly } from '../message/header-names.ts'
import { values } from '../message/message.ts'
import { malformed, SipRefusal } from '../refusal.ts'
import { breaksLines, isToken, readNumber, trimBlanks } from '../syntax/token.ts'

/** Parsing continues after a fault: the other headers are needed to answer the sender. */
export type Head = { startLine: string; headers: Header[]; fault: SipRefusal | undefined }

/**
 * Lines end with CRLF. A bare LF is rejected: a proxy in front of us that reads it differently would have checked other
 * headers than we see.
 */
export function readHead(bytes: Buffer): Head {
  const text = bytes.toString('utf8')
  const lines = text.split('\r\n')
  const startLine = lines.shift() ?? ''
  const head: Head = { startLine, headers: [], fault: undefined }
  // Cannot be answered: the response would have to repeat these headers.
  if (breaksLines(text)) throw malformed('Stray CR, LF or NUL')
  if (lines.length > limits.headerLines) {
    head.fault = tooLarge('Too many headers')
    lines.length = limits.headerLines
  }

  for (const line of unfold(lines)) {
    const colon = line.indexOf(':')
    const name = trimBlanks(line.slice(0, Math.max(colon, 0)))
    const known = knownName(name)
    if (line.length > limits.lineLength) head.fault ??= tooLarge('Header too long')
    else if (!(known || isToken(name)) || !line.startsWith(name))
      head.fault ??= malformed('Malformed header line')
    else head.headers.push({ name: known ?? name, value: trimBlanks(line.slice(colon + 1)) })
  }
  if (startLine.length > limits.lineLength) head.fault ??= tooLarge('Start line too long')
  const repeated = findRepeated(head.headers)
  if (repeated !== undefined) head.fault ??= malformed(repeated)
  return head
}

/** What was received of headers longer than we read: enough to answer their sender in most cases. */
export function readCutHead(bytes: Buffer): Head {
  const received = bytes.subarray(0, limits.headBytes)
  const end = received.lastIndexOf('\r\n')
  const head = readHead(received.subarray(0, Math.max(end, 0)))
  return { ...head, fault: tooLarge('Headers too long') }
}

function tooLarge(reason: string): SipRefusal {
  return new SipRefusal(513, reason)
}

/** A line that begins with a space or tab continues the previous one. */
function unfold(lines: string[]): string[] {
  if (!lines.some(continues)) return lines
  const whole: string[][] = []
  for (const line of lines) {
    if (continues(line) && whole.length > 0) whole.at(-1)?.push(trimBlanks(line))
    else whole.push([line])
  }
  return whole.map((pieces) => pieces.join(' '))
}

function continues(line: string): boolean {
  return line.startsWith(' ') || line.startsWith('\t')
}

function findRepeated(headers: readonly Header[]): string | undefined {
  const seen = new Set<string>()
  for (const { name } of headers) {
    if (!onceOnly.has(name)) continue
    if (seen.has(name)) return `${name} given twice`
    seen.add(name)
  }
  return undefined
}

/** `undefined` if the header is missing: over UDP and WebSocket the body then extends to the end of the packet. */
export function contentLength(head: WithHeaders): number | undefined {
  const given = values(head, 'Content-Length')
  const [first] = given
  if (first === undefined) return undefined
  const length = readNumber(first)
  if (length === undefined || given.length > 1) throw malformed('Malformed Content-Length')
  if (length > limits.messageBytes) throw new SipRefusal(513, 'Message Too Large')
  return length
}
