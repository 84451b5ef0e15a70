/** Parses messages from a TCP or TLS stream, in which Content-Length delimits them. */
import { limits } from '../limits.ts'
import type { SipMessage } from '../message/message.ts'
import { malformed, SipRefusal } from '../refusal.ts'
import { contentLength, type Head, readHead } from './head.ts'
import { assemble, emptyLine, refuseWithoutEnd, withAnswerable } from './parse.ts'
import { createWindow } from './window.ts'

/**
 * CRLFs between messages keep the connection alive (RFC 5626, 4.4.1): the second of a pair is a ping, to be answered
 * with one CRLF; a single one is a pong. The first of a pair looks like a pong: a receiver that sent no ping ignores it.
 *
 * After a `final` refusal the start of the next message is unknown: the connection must be closed.
 */
export type StreamEvent =
  | { kind: 'message'; message: SipMessage }
  | { kind: 'ping' }
  | { kind: 'pong' }
  | { kind: 'refused'; refusal: SipRefusal; final: boolean }

export type StreamParser = { push(chunk: Uint8Array): StreamEvent[] }

export function createStreamParser(): StreamParser {
  const window = createWindow()
  let head: Head | undefined
  let bodyLength = 0
  let afterCrlf = false
  let closed = false

  function push(chunk: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = []
    if (closed) return events
    window.add(chunk)
    try {
      for (let event = next(); event; event = next()) events.push(event)
    } catch (error) {
      if (!(error instanceof SipRefusal)) throw error
      closed = true
      events.push({ kind: 'refused', refusal: error, final: true })
    }
    window.release()
    return events
  }

  /** Throws if the start of the next message is unknown. */
  function next(): StreamEvent | undefined {
    if (!head) {
      if (window.startsWithCrlf()) return keepAlive()
      if (!readNextHead()) return undefined
    }
    return head && window.length >= bodyLength ? finish(head) : undefined
  }

  function keepAlive(): StreamEvent {
    window.take(2)
    afterCrlf = !afterCrlf
    return { kind: afterCrlf ? 'pong' : 'ping' }
  }

  function readNextHead(): boolean {
    const end = window.find(emptyLine)
    if (end < 0 ? window.length > limits.headBytes + emptyLine.length : end > limits.headBytes) {
      refuseWithoutEnd(Buffer.from(window.take(limits.headBytes + 1)))
    }
    if (end < 0) return false
    const found = readHead(Buffer.from(window.take(end)))
    window.take(emptyLine.length)
    withAnswerable(found, () => {
      const length = contentLength(found)
      if (length === undefined || found.fault) throw found.fault ?? malformed('Missing Content-Length')
      if (end + length > limits.messageBytes) throw new SipRefusal(513, 'Message Too Large')
      bodyLength = length
    })
    head = found
    return true
  }

  function finish(found: Head): StreamEvent {
    const body = Buffer.from(window.take(bodyLength))
    head = undefined
    afterCrlf = false
    try {
      return { kind: 'message', message: assemble(found, body) }
    } catch (error) {
      if (!(error instanceof SipRefusal)) throw error
      return { kind: 'refused', refusal: error, final: false }
    }
  }

  return { push }
}
