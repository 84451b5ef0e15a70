/** Parses a message that arrives whole: a UDP datagram or a WebSocket frame. */
import { limits } from '../limits.ts'
import { firstValue, type SipMessage } from '../message/message.ts'
import { type Answerable, malformed, SipRefusal } from '../refusal.ts'
import { checkMessage } from './check.ts'
import { contentLength, type Head, readCutHead, readHead } from './head.ts'
import { isStatusLine, parseStartLine } from './start-line.ts'

export const emptyLine = Buffer.from('\r\n\r\n')

/** Throws only SipRefusal. Bytes after the body are ignored (RFC 3261, 18.3). */
export function parseMessage(datagram: Uint8Array): SipMessage {
  const bytes = Buffer.from(datagram.buffer, datagram.byteOffset, datagram.byteLength)
  if (bytes.length > limits.messageBytes) throw new SipRefusal(513, 'Message Too Large')
  const end = bytes.subarray(0, limits.headBytes + emptyLine.length).indexOf(emptyLine)
  if (end < 0) return refuseWithoutEnd(bytes)
  const head = readHead(bytes.subarray(0, end))
  const rest = bytes.subarray(end + emptyLine.length)
  return withAnswerable(head, () => {
    const length = contentLength(head) ?? rest.length
    if (length > rest.length) throw malformed('Content-Length beyond the end')
    return assemble(head, rest.subarray(0, length))
  })
}

/** 513 if the headers are longer than we read, else 400. */
export function refuseWithoutEnd(bytes: Buffer): never {
  if (bytes.length <= limits.headBytes) throw malformed('No end of headers')
  const head = readCutHead(bytes)
  return withAnswerable(head, () => {
    throw head.fault
  })
}

export function assemble(head: Head, body: Buffer): SipMessage {
  return withAnswerable(head, () => {
    const start = parseStartLine(head.startLine)
    if (head.fault) throw head.fault
    const message = { ...start, headers: head.headers, body }
    checkMessage(message)
    return message
  })
}

/** Adds the request to a refusal, if it can be answered. */
export function withAnswerable<T>(head: Head, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SipRefusal) || error.request) throw error
    throw new SipRefusal(error.status, error.message, answerable(head))
  }
}

/** A response can be built from these five headers, whatever else is malformed. */
const neededToAnswer = ['Via', 'From', 'To', 'Call-ID', 'CSeq']

function answerable(head: Head): Answerable | undefined {
  if (isStatusLine(head.startLine) || !neededToAnswer.every((name) => firstValue(head, name)))
    return undefined
  const method = head.startLine.split(' ', 1)[0] ?? ''
  return method === 'ACK' ? undefined : { method, headers: head.headers }
}
