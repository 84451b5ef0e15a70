import { describe, expect, test } from 'vitest'
import { addReceived } from '../headers/via.ts'
import { limits } from '../limits.ts'
import { firstValue, type SipRequest, values } from '../message/message.ts'
import { reasonPhrase } from '../message/reason-phrases.ts'
import { buildRequest } from '../message/request.ts'
import { buildResponse } from '../message/response.ts'
import { serialise } from '../message/serialise.ts'
import { SipRefusal } from '../refusal.ts'
import { sipUri } from '../uri/uri.ts'
import { parseMessage } from './parse.ts'

const needed = [
  'Via: SIP/2.0/UDP 10.0.0.1;branch=z9hG4bK1;rport, SIP/2.0/TCP a.com',
  'From: <sip:a@example.com>;tag=1',
  'To: <sip:b@example.com>',
  'Call-ID: 1@a',
  'CSeq: 1 OPTIONS',
]
const wire = (lines: string[], body = '') =>
  Buffer.from(`OPTIONS sip:b@example.com SIP/2.0\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
const parse = (...more: string[]) => parseRequest([...needed, ...more])

function parseRequest(lines: string[]): SipRequest {
  const message = parseMessage(wire(lines))
  if (message.kind !== 'request') throw new Error('no request')
  return message
}

function refusal(bytes: Buffer): SipRefusal {
  try {
    parseMessage(bytes)
  } catch (error) {
    if (error instanceof SipRefusal) return error
    throw error
  }
  throw new Error('it was not refused')
}

describe('a message is bounded', () => {
  test('in size: above 32 KiB it is dropped (D474)', () => {
    const fits = limits.messageBytes - wire([...needed, '']).length + 2
    expect(parseMessage(wire(needed, 'x'.repeat(fits))).body.length).toBe(fits)
    expect(refusal(wire(needed, 'x'.repeat(fits + 1)))).toMatchObject({ status: 513, request: undefined })
  })

  test('in its headers: 16 KiB in total, 8 KiB each, 100 lines', () => {
    const long = `X-Y: ${'x'.repeat(limits.lineLength - 5)}`
    expect(() => parse(long)).not.toThrow()
    expect(() => parse(`${long}x`)).toThrow('Header too long')
    expect(() => parse(long, long)).toThrow('Headers too long')
    expect(() => parse(...Array<string>(95).fill('X-Y: z'))).not.toThrow()
    expect(() => parse(...Array<string>(96).fill('X-Y: z'))).toThrow('Too many headers')
    expect(() => parse(`X-Y: ${'x'.repeat(5000)}`, ` ${'x'.repeat(5000)}`)).toThrow('Header too long')
  })

  test('and one with headers beyond that is answered 513 if its sender can be', () => {
    const answerable = { method: 'OPTIONS' }
    for (const more of [
      [`X-Y: ${'x'.repeat(9_000)}`],
      [`X-Y: ${'x'.repeat(17_000)}`],
      Array<string>(96).fill('X-Y: z'),
    ]) {
      expect(refusal(wire([...needed, ...more]))).toMatchObject({ status: 513, request: answerable })
    }
    const first = `X-Y: ${'x'.repeat(17_000)}`
    expect(refusal(wire([first, ...needed]))).toMatchObject({ status: 513, request: undefined })
  })

  test('in the length it says it has', () => {
    expect(() => parse('Content-Length: 1')).toThrow('Content-Length beyond the end')
    expect(() => parse('Content-Length: 32769')).toThrow('Message Too Large')
    expect(() => parse('Content-Length: 1e1')).toThrow('Malformed Content-Length')
  })
})

describe('lines', () => {
  test('end with CRLF and nothing less', () => {
    expect(() => parse('X: a\nY: b')).toThrow('Stray CR, LF or NUL')
    expect(() => parse('X: a\rY: b')).toThrow('Stray CR, LF or NUL')
    expect(() => parseMessage(Buffer.from(wire(needed).toString().replaceAll('\r\n', '\n')))).toThrow(
      'No end of headers',
    )
  })

  test('hold no NUL but in a quoted pair, and are not answered with one', () => {
    expect(refusal(wire([...needed, 'X: a\0'])).request).toBeUndefined()
    expect(() => parse('X: "\\\0"')).not.toThrow()
  })

  test('without a name are refused', () => {
    expect(() => parse('no colon here')).toThrow('Malformed header line')
    expect(() => parse(': x')).toThrow('Malformed header line')
    expect(() => parse('two words: x')).toThrow('Malformed header line')
  })

  test('that begin with a blank continue the one before', () => {
    expect(firstValue(parse('X: a', '\tb', '  c  '), 'x')).toBe('a b c')
    expect(() => parseMessage(wire([' X: a', ...needed]))).toThrow('Malformed header line')
  })

  test('of the same header keep their order, in any spelling', () => {
    expect(values(parse('X-a: 1', 'x-A: 2', 'X-A : 3'), 'X-A')).toEqual(['1', '2', '3'])
  })
})

describe('a refused message', () => {
  test.each([0, 1, 2, 3, 4])('without header %i cannot be answered', (missing) => {
    const bytes = wire(needed.toSpliced(missing, 1))
    expect(refusal(bytes)).toMatchObject({ status: 400, request: undefined })
  })

  test('that is an ACK or a response is not answered', () => {
    const broken = wire([...needed, 'no colon here']).toString()
    expect(refusal(Buffer.from(broken)).request).toBeDefined()
    expect(refusal(Buffer.from(broken.replaceAll('OPTIONS', 'ACK'))).request).toBeUndefined()
    expect(refusal(Buffer.from(broken.replace(/^.*/, 'SIP/2.0 200 OK'))).request).toBeUndefined()
  })

  test.each(['\r\n\r\n', '\0\0\0\0', '', 'GET / HTTP/1.1\r\n\r\n'])(
    'that is no SIP is dropped: %j',
    (text) => {
      expect(refusal(Buffer.from(text)).request).toBeUndefined()
    },
  )
})

describe('a response', () => {
  const request = parse('Record-Route: <sip:p.com;lr>', 'Timestamp: 54', 'Subject: x')
  const lines = (status: number, more = {}) =>
    serialise(buildResponse(request, status, more))
      .toString()
      .split('\r\n')

  test('copies Via, From, To, Call-ID and CSeq, and adds the To tag', () => {
    expect(lines(404, { toTag: 'abc' })).toEqual([
      'SIP/2.0 404 Not Found',
      ...needed.slice(0, 2),
      'To: <sip:b@example.com>;tag=abc',
      ...needed.slice(3),
      'Content-Length: 0',
      '',
      '',
    ])
  })

  test('keeps a tag that is there', () => {
    const tagged = parseRequest(needed.with(2, 'To: <sip:b@example.com;tag=x>;Tag = y'))
    const answer = buildResponse(tagged, 200, { toTag: 'z' })
    expect(firstValue(answer, 'To')).toBe('<sip:b@example.com;tag=x>;Tag = y')
  })

  test('has the route of an INVITE only, and the time of a 100 only', () => {
    const invite = { method: 'INVITE', headers: request.headers }
    expect(firstValue(buildResponse(invite, 180), 'Record-Route')).toBe('<sip:p.com;lr>')
    expect(firstValue(buildResponse(invite, 486), 'Record-Route')).toBeUndefined()
    expect(lines(200).some((line) => line.startsWith('Record-Route'))).toBe(false)
    expect(lines(100)).toContain('Timestamp: 54')
    expect([reasonPhrase(499), reasonPhrase(799)]).toEqual(['Bad Request', 'Unknown'])
  })

  test('follows the source that the top Via notes', () => {
    const noted = addReceived(request, { address: '192.0.2.9', port: 7000 })
    expect(firstValue(noted, 'Via')).toBe(
      'SIP/2.0/UDP 10.0.0.1;branch=z9hG4bK1;rport=7000;received=192.0.2.9, SIP/2.0/TCP a.com',
    )
  })
})

describe('writing', () => {
  const request = (headers: [string, string][], body = '') =>
    buildRequest({ method: 'OPTIONS', uri: sipUri({ host: 'a.com' }), headers, body })

  test('spells names in full, adds Max-Forwards, and counts the body in bytes', () => {
    expect(
      serialise(
        request(
          [
            ['v', 'x'],
            ['x-mine', 'y'],
            ['l', '99'],
          ],
          'ção',
        ),
      ).toString(),
    ).toBe(
      'OPTIONS sip:a.com SIP/2.0\r\nVia: x\r\nx-mine: y\r\nMax-Forwards: 70\r\nContent-Length: 5\r\n\r\nção',
    )
  })

  test.each([
    [request([['X', 'a\r\nY: b']])],
    [request([['X', 'a\nb']])],
    [request([['X', 'a\rb']])],
    [request([['X', 'a\0b']])],
    [request([['X Y', 'a']])],
    [request([['', 'a']])],
    [{ ...request([]), method: 'A B' }],
    [{ ...request([]), uri: { scheme: 'other' as const, text: 'x:y SIP/2.0\r\nVia: z' } }],
    [buildResponse(request([]), 200, { reason: 'OK\r\nX: y' })],
  ])('throws rather than let a value begin a line: case %#', (message) => {
    expect(() => serialise(message)).toThrow()
  })
})
