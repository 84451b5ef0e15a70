import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createStreamParser, type StreamEvent } from './stream.ts'

const message = (
  more: string[] = ['Content-Length: 3'],
  body = 'abc',
  startLine = 'OPTIONS sip:a@b.com SIP/2.0',
) =>
  [
    startLine,
    'Via: SIP/2.0/TCP a.com;branch=z9hG4bK1',
    'From: <sip:a@b.com>;tag=1',
    'To: <sip:b@b.com>',
    'Call-ID: 1',
    'CSeq: 1 OPTIONS',
    ...more,
    '',
    body,
  ].join('\r\n')

const show = (event: StreamEvent) => {
  if (event.kind === 'message') return event.message.body.toString()
  return event.kind === 'refused'
    ? `${event.final ? 'final' : 'continues'}: ${event.refusal.message}`
    : event.kind
}
const read = (...chunks: string[]) => {
  const parser = createStreamParser()
  return chunks.flatMap((chunk) => parser.push(Buffer.from(chunk)).map(show))
}

describe('a stream', () => {
  test('has its messages end where Content-Length says', () => {
    expect(read(message() + message(['l: 1'], 'd') + message())).toEqual(['abc', 'd', 'abc'])
  })

  test('waits for what is not there yet', () => {
    expect(read(message().slice(0, -1))).toEqual([])
    expect(read(message().slice(0, -1), 'c')).toEqual(['abc'])
    expect(read(...message())).toEqual(['abc'])
  })

  test('RFC 5626: two CRLFs between messages are a ping, one alone a pong', () => {
    expect(read('\r\n\r\n')).toEqual(['pong', 'ping'])
    expect(read('\r', '\n', '\r', '\n')).toEqual(['pong', 'ping'])
    expect(read('\r\n', message(), '\r\n')).toEqual(['pong', 'abc', 'pong'])
  })

  test('goes on after a message that is refused and has an end', () => {
    expect(read(message(['l: 3'], 'abc', 'NONSENSE') + message())).toEqual([
      'continues: Malformed request line',
      'abc',
    ])
  })

  test.each([
    ['no length', message([]), 'Missing Content-Length'],
    ['two lengths', message(['l: 3', 'l: 3']), 'Malformed Content-Length'],
    ['a negative length', message(['l: -1']), 'Malformed Content-Length'],
    ['a length beyond all bounds', message(['l: 32768']), 'Message Too Large'],
    ['a line that is none', message(['l: 3', 'nonsense']), 'Malformed header line'],
    ['a bare LF', message(['l: 3', 'X: a\nb']), 'Stray CR, LF or NUL'],
    ['no end of headers', 'x'.repeat(limits.headBytes + 5), 'Headers too long'],
  ])('ends after %s, since the next message cannot be found', (_what, text, reason) => {
    expect(read(text + message(), message())).toEqual([`final: ${reason}`])
  })
})
