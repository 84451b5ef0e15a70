/** Reads messages that come whole: a UDP datagram or a WebSocket message. */
import { limits } from '../limits.ts'
import { firstValue, type SipMessage } from '../message/message.ts'
import { type Answerable, malformed, SipRefusal } from '../refusal.ts'
import { checkMessage } from './check.ts'
import { contentLength, type Head, readHead } from './head.ts'
import { isStatusLine, parseStartLine } from './start-line.ts'

export const emptyLine = Buffer.from('\r\n\r\n')

/** Throws a SipRefusal, and nothing else. Octets behind the body are left aside (RFC 3261, 18.3). */
export function parseMessage(datagram: Uint8Array): SipMessage {
  const bytes = Buffer.from(datagram.buffer, datagram.byteOffset, datagram.byteLength)
  if (bytes.length > limits.messageBytes) throw new SipRefusal(513, 'Message Too Large')
  const end = bytes.subarray(0, limits.headBytes + emptyLine.length).indexOf(emptyLine)
  if (end < 0) throw malformed('No end of headers')
  const head = readHead(bytes.subarray(0, end))
  const rest = bytes.subarray(end + emptyLine.length)
  return answerably(head, () => {
    const length = contentLength(head) ?? rest.length
    if (length > rest.length) throw malformed('Content-Length beyond the end')
    return assemble(head, rest.subarray(0, length))
  })
}

export function assemble(head: Head, body: Buffer): SipMessage {
  return answerably(head, () => {
    const start = parseStartLine(head.startLine)
    if (head.fault !== undefined) throw malformed(head.fault)
    const message = { ...start, headers: head.headers, body }
    checkMessage(message)
    return message
  })
}

/** A refusal learns here whom it can be told. */
export function answerably<T>(head: Head, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SipRefusal) || error.request) throw error
    throw new SipRefusal(error.status, error.message, answerable(head))
  }
}

/** A response needs these five to find its way, however broken the rest is. */
const neededToAnswer = ['Via', 'From', 'To', 'Call-ID', 'CSeq']

function answerable(head: Head): Answerable | undefined {
  if (isStatusLine(head.startLine) || !neededToAnswer.every((name) => firstValue(head, name)))
    return undefined
  const method = head.startLine.split(' ', 1)[0] ?? ''
  return method === 'ACK' ? undefined : { method, headers: head.headers }
}
