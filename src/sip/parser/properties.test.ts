/** Properties of every message, including hostile ones. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAuthHeader } from '../digest/auth-header.ts'
import { parseAddress } from '../headers/address.ts'
import { parseVia } from '../headers/via.ts'
import type { SipMessage } from '../message/message.ts'
import { buildResponse } from '../message/response.ts'
import { serialise } from '../message/serialise.ts'
import { SipRefusal } from '../refusal.ts'
import { answer } from '../sdp/answer.ts'
import { parseSdp } from '../sdp/parse.ts'
import { writeSdp } from '../sdp/write.ts'
import { splitOutside } from '../syntax/split.ts'
import { torture } from '../testing/torture/messages.ts'
import { parseUri } from '../uri/parse.ts'
import { formatUri, sipUri } from '../uri/uri.ts'
import { parseMessage } from './parse.ts'
import { createStreamParser } from './stream.ts'

/** Refusals count as an outcome; anything else thrown fails the property. */
function attempt<T>(read: () => T): T | SipRefusal {
  try {
    return read()
  } catch (error) {
    if (error instanceof SipRefusal) return error
    throw error
  }
}

const sample = fc.constantFrom(...torture.values())
const sign = fc.constantFrom(
  ...' \t\r\n\0":;,<>@%=?&[]*\\/-09aZ',
  'é',
  '\r\n',
  '\r\n ',
  '\r\n\r\n',
  '%00',
  '%ff',
  'SIP/2.0',
)
const cut = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 0, max: 40 }),
  put: fc.array(sign, { maxLength: 3 }),
})

/** A message of RFC 4475 with random deletions and insertions. */
const mutated = fc.tuple(sample, fc.array(cut, { minLength: 1, maxLength: 4 })).map(([bytes, cuts]) =>
  cuts.reduce((whole, { at, length, put }) => {
    const start = Math.floor(at * whole.length)
    return Buffer.concat([
      whole.subarray(0, start),
      Buffer.from(put.join('')),
      whole.subarray(start + length),
    ])
  }, bytes),
)
const anything = fc.oneof(
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.array(sign, { maxLength: 60 }).map((signs) => Buffer.from(signs.join(''))) },
  { weight: 4, arbitrary: mutated },
)

describe('for every run of bytes', () => {
  test('reading gives a message or a refusal', () => {
    fc.assert(
      fc.property(anything, (bytes) => void attempt(() => parseMessage(bytes))),
      { numRuns: 3000 },
    )
  })

  test('what was read can be written, and reads the same from then on', () => {
    const property = fc.property(anything, (bytes) => {
      const message = attempt(() => parseMessage(bytes))
      if (message instanceof SipRefusal) return
      const once = serialise(message)
      expect(serialise(parseMessage(once))).toEqual(once)
    })
    fc.assert(property, { numRuns: 3000 })
  })

  test('what is refused and can be answered is answered in good order', () => {
    const property = fc.property(anything, (bytes) => {
      const refusal = attempt(() => parseMessage(bytes))
      if (!(refusal instanceof SipRefusal) || !refusal.request) return
      const text = serialise(buildResponse(refusal.request, refusal.status, { toTag: 'x' })).toString()
      expect(text).toMatch(/^SIP\/2\.0 (?:400|505|513) [^\r\n]*\r\n(?:[^\r\n]+\r\n)+\r\n$/)
    })
    fc.assert(property, { numRuns: 2000 })
  })

  test('SDP is read or refused, what was read is stable, and its answer can be written', () => {
    const body = mutated.map((bytes) => bytes.subarray(Math.max(0, bytes.indexOf('v=0'))))
    const property = fc.property(fc.oneof(body, anything), (bytes) => {
      const sdp = attempt(() => parseSdp(bytes))
      if (sdp instanceof SipRefusal) return
      const once = writeSdp(sdp)
      expect(writeSdp(parseSdp(once))).toBe(once)
      const reply = answer(sdp, { origin: sdp.origin, address: '192.0.2.1', port: 4000 })
      if (reply) expect(parseSdp(writeSdp(reply.sdp)).media).toHaveLength(sdp.media.length)
    })
    fc.assert(property, { numRuns: 2000 })
  })
})

test('a URI of any user, password and parameters is read back as it was', () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 })
  const property = fc.property(text, text, text, text, (user, password, name, value) => {
    const uri = sipUri({
      user,
      password,
      host: 'example.com',
      params: new Map([[name.toLowerCase(), value]]),
      headers: [[name, value]],
    })
    expect(parseUri(formatUri(uri))).toEqual(uri)
  })
  fc.assert(property)
})

test('a stream gives the same events however its bytes are cut', () => {
  const framed = fc.oneof(
    { weight: 4, arbitrary: sample.map((bytes) => attempt(() => serialise(parseMessage(bytes)))) },
    { weight: 1, arbitrary: fc.constantFrom(Buffer.from('\r\n'), Buffer.from('\r\n\r\n')) },
    { weight: 1, arbitrary: mutated },
  )
  const property = fc.property(
    fc.array(framed, { maxLength: 5 }),
    fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 }),
    (parts, sizes) => {
      const bytes = Buffer.concat(parts.filter((part) => Buffer.isBuffer(part)))
      const parser = createStreamParser()
      const events = []
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1
        events.push(...parser.push(bytes.subarray(at, at + size)))
        at += size
      }
      expect(events.map(comparable)).toEqual(createStreamParser().push(bytes).map(comparable))
    },
  )
  fc.assert(property, { numRuns: 500 })
})

function comparable(event: { kind: string; message?: SipMessage; refusal?: SipRefusal; final?: boolean }) {
  return { ...event, refusal: event.refusal?.message }
}

describe('work grows with the size and no faster', () => {
  const hostile: [name: string, read: (length: number) => unknown][] = [
    ['quotes', (n) => splitOutside('""'.repeat(n / 2), ',')],
    ['an open quote full of escapes', (n) => parseAddress(`"${'\\"'.repeat(n / 2)}`)],
    ['commas', (n) => splitOutside(','.repeat(n), ',')],
    ['open brackets', (n) => parseAddress('<'.repeat(n))],
    [
      'blanks before an address',
      (n) => parseAddress(`${' a'.repeat(n / 4)}${' '.repeat(n / 2)}<sip:a@b.com>`),
    ],
    [
      'parameters',
      (n) => parseAddress(`<sip:a@b.com>${Array.from({ length: n / 8 }, (_, i) => `;p${i}`).join('')}`),
    ],
    ['blanks in a Via', (n) => parseVia(`SIP${' '.repeat(n / 2)}/${' '.repeat(n / 2)}x`)],
    ['blanks behind a Via', (n) => parseVia(`SIP/2.0/UDP ${' '.repeat(n)}`)],
    [
      'credentials',
      (n) => parseAuthHeader(`Digest ${Array.from({ length: n / 8 }, (_, i) => `p${i}="\\"`).join(',')}`),
    ],
    ['a stream, byte by byte', (n) => dribble(Buffer.alloc(n, 'Via: x\r\n'))],
    ['a stream of keep-alives', (n) => createStreamParser().push(Buffer.alloc(n, '\r\n'))],
    [
      'a stream of small messages',
      (n) =>
        dribble(Buffer.alloc(n, serialise(parseMessage(torture.get('3.3.11 zeromf') ?? Buffer.alloc(0))))),
    ],
  ]

  // Milliseconds, or a second byte by byte; minutes if each character were compared with each.
  test.each(hostile)('%s', { timeout: 20_000 }, (_name, read) => {
    attempt(() => read(1_024_000))
  })

  function dribble(bytes: Buffer) {
    const parser = createStreamParser()
    for (let at = 0; at < bytes.length; at++) parser.push(bytes.subarray(at, at + 1))
  }
})
