import { describe, expect, test } from 'vitest'
import { SipRefusal } from '../refusal.ts'
import { answer } from './answer.ts'
import { offer } from './offer.ts'
import { parseSdp } from './parse.ts'
import type { Direction } from './sdp.ts'
import { isHeld, readTerms } from './terms.ts'
import { succeed, writeSdp } from './write.ts'

const lines = (...more: string[]) =>
  ['v=0', 'o=- 1 18446744073709551614 IN IP4 192.0.2.1', 's=-', ...more].join('\r\n')
const audio = (...more: string[]) =>
  lines('c=IN IP4 192.0.2.1', 't=0 0', 'm=audio 4000 RTP/AVP 8 0 101', ...more)
const origin = { username: '-', sessionId: '7', version: '1', address: '198.51.100.1' }
const ours = { origin, address: '198.51.100.1', port: 20_000 }
const answered = (sdp: string, more = {}) => answer(parseSdp(sdp), { ...ours, ...more })
const media = (sdp: string, more = {}) =>
  answered(sdp, more)?.sdp.media.map(({ kind, port, formats }) => `${kind} ${port} ${formats.join(' ')}`)
const terms = (sdp: string) => readTerms(parseSdp(sdp))

describe('an answer', () => {
  test('takes the first G.711 codec of the offer and its telephone keys', () => {
    expect(
      writeSdp(
        answered(audio('a=rtpmap:101 telephone-event/8000', 'a=fmtp:101 0-16', 'a=ptime:30'))?.sdp ??
          offer({ ...ours, codecs: [] }),
      ),
    ).toBe(
      [
        'v=0',
        'o=- 7 1 IN IP4 198.51.100.1',
        's=-',
        'c=IN IP4 198.51.100.1',
        't=0 0',
        'm=audio 20000 RTP/AVP 8 101',
        'a=rtpmap:8 PCMA/8000',
        'a=rtpmap:101 telephone-event/8000',
        'a=fmtp:101 0-15',
        'a=ptime:30',
        'a=sendrecv',
        '',
      ].join('\r\n'),
    )
  })

  test('uses the codecs it is given, with the payload types of the offer', () => {
    expect(media(audio(), { codecs: ['PCMU'] })).toEqual(['audio 20000 0'])
    const odd = lines(
      'c=IN IP4 192.0.2.1',
      'm=audio 4000 RTP/AVP 96 97 98',
      'a=rtpmap:96 telephone-event/48000',
      'a=rtpmap:97 telephone-event/8000',
      'a=rtpmap:98 pcma/8000/1',
    )
    expect(media(odd)).toEqual(['audio 20000 98 97'])
  })

  test('refuses every other medium with port 0, in its place', () => {
    const many = lines(
      'c=IN IP4 192.0.2.1',
      'm=video 5000 RTP/AVP 31',
      'm=audio 4000 RTP/AVP 9',
      'm=audio 0 RTP/AVP 0',
      'm=audio 4002 RTP/SAVP 0',
      'm=audio 4004 RTP/AVP 18 0',
      'm=audio 4006 RTP/AVP 0',
      'm=image 6000 udptl t38',
    )
    expect(media(many)).toEqual([
      'video 0 31',
      'audio 0 9',
      'audio 0 0',
      'audio 0 0',
      'audio 20000 0',
      'audio 0 0',
      'image 0 t38',
    ])
  })

  test('is none where no codec, no audio or no address is in common', () => {
    expect(media(lines('c=IN IP4 192.0.2.1', 'm=audio 4000 RTP/AVP 9 18'))).toBeUndefined()
    expect(media(lines('c=IN IP4 192.0.2.1', 'm=video 4000 RTP/AVP 31'))).toBeUndefined()
    expect(media(lines('m=audio 4000 RTP/AVP 0'))).toBeUndefined()
    expect(media(lines('c=IN IP4 host.example.com', 'm=audio 4000 RTP/AVP 0'))).toBeUndefined()
    expect(media(lines())).toBeUndefined()
  })

  test.each<[offered: string, wanted: Direction, answered: Direction]>([
    ['a=sendrecv', 'sendrecv', 'sendrecv'],
    ['a=sendonly', 'sendrecv', 'recvonly'],
    ['a=recvonly', 'sendrecv', 'sendonly'],
    ['a=inactive', 'sendrecv', 'inactive'],
    ['a=sendonly', 'sendonly', 'inactive'],
    ['a=recvonly', 'sendonly', 'sendonly'],
    ['c=IN IP4 0.0.0.0', 'sendrecv', 'recvonly'],
  ])('to %s, wanting %s, answers %s', (said, direction, reply) => {
    expect(answered(audio(said), { direction })?.sdp.media[0]?.direction).toBe(reply)
  })
})

describe('a description', () => {
  test('has addresses and directions of its own or of its medium, and the medium’s count', () => {
    expect(terms(audio('c=IN IP6 2001:db8::1', 'a=rtcp:4010 IN IP4 192.0.2.9'))).toMatchObject({
      address: '2001:db8::1',
      rtcp: { address: '192.0.2.9', port: 4010 },
    })
    expect(terms(audio('a=rtcp:4010 IN IP4 phone.local'))?.rtcp).toEqual({ address: '192.0.2.1', port: 4010 })
    expect(terms(audio())?.rtcp).toEqual({ address: '192.0.2.1', port: 4001 })
    expect(terms(lines('c=IN IP4 192.0.2.1', 'a=sendonly', 'm=audio 4000 RTP/AVP 0'))?.direction).toBe(
      'sendonly',
    )
    expect(
      terms(lines('c=IN IP4 192.0.2.1', 'a=sendonly', 'm=audio 4000 RTP/AVP 0', 'a=sendrecv'))?.direction,
    ).toBe('sendrecv')
  })

  test.each(['a=sendonly', 'a=inactive', 'c=IN IP4 0.0.0.0'])('holds the call: %s', (line) => {
    const held = terms(audio(line))
    expect(held && isHeld(held)).toBe(true)
  })

  test('may end its lines with LF, and have unknown lines and attributes', () => {
    const text = audio('a=ice-ufrag:x', 'a=rtpmap:broken', 'b=AS:64', 'k=x', 'a=ptime:20.5').replaceAll(
      '\r',
      '',
    )
    expect(terms(text)).toMatchObject({ codec: 'PCMA', ptime: 20 })
  })

  test('may have blanks where there should be none, a name with blanks, and no port for RTCP', () => {
    const text = [
      'v=0 ',
      'o=Ana Lima  7 3  IN IP4 192.0.2.1',
      's= ',
      'c=IN  IP4 192.0.2.1 \t',
      'm=audio  4000 RTP/AVP 8  101 ',
      'a=rtpmap:101  telephone-event/8000 ',
      'a=rtcp:0',
      'a=sendonly ',
      ' ',
    ].join('\r\n')
    expect(parseSdp(text).origin).toMatchObject({ username: 'Ana Lima', sessionId: '7', version: '3' })
    expect(terms(text)).toMatchObject({
      address: '192.0.2.1',
      telephoneEvent: 101,
      direction: 'sendonly',
      rtcp: { port: 4001 },
    })
  })

  test('is written as it was read', () => {
    const sdp = offer({ ...ours, codecs: ['PCMU', 'PCMA'], direction: 'sendonly' })
    expect(parseSdp(writeSdp(sdp))).toEqual(sdp)
  })

  test('has the next version when it changes, also beyond 2^53', () => {
    const before = parseSdp(audio('a=sendrecv'))
    const changed = {
      ...before,
      media: before.media.map((medium) => ({ ...medium, direction: 'sendonly' as const })),
    }
    expect(succeed(before, before).origin.version).toBe('18446744073709551614')
    expect(succeed(before, changed).origin.version).toBe('18446744073709551615')
  })

  test('cannot be broken into lines from inside, and names addresses only', () => {
    const sdp = offer({ ...ours, codecs: ['PCMA'] })
    expect(() => writeSdp({ ...sdp, name: 'x\r\na=y' })).toThrow()
    expect(() => writeSdp({ ...sdp, address: 'host.example.com' })).toThrow()
  })

  test.each([
    ['', 'nothing'],
    ['v=1', 'another version'],
    ['v=0\r\ns=-', 'no origin'],
    ['v=0\r\no=- 1 x IN IP4 a', 'an origin without a number'],
    [lines('c=IN IP4 192.0.2.256'), 'an address that is none'],
    [lines('c=IN IP4 ::1'), 'an address of another family'],
    [lines('m=audio x RTP/AVP 0'), 'no port'],
    [lines('m=audio 65536 RTP/AVP 0'), 'a port too high'],
    [lines('m=audio 4000 RTP/AVP'), 'no format'],
    [lines('audio'), 'a line that is none'],
    [lines(`m=audio 4000 RTP/AVP${' 0'.repeat(65)}`), 'too many formats'],
    [lines(...Array<string>(17).fill('m=audio 4000 RTP/AVP 0')), 'too many media'],
    [lines(...Array<string>(500).fill('a=x')), 'too many lines'],
  ])('is refused: %j, %s', (text) => {
    expect(() => parseSdp(text)).toThrow(SipRefusal)
  })
})
