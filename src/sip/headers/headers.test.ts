import { describe, expect, test } from 'vitest'
import type { HeaderPairs } from '../message/request.ts'
import { toHeaders } from '../message/request.ts'
import { SipRefusal } from '../refusal.ts'
import { parseUri } from '../uri/parse.ts'
import { sipUri } from '../uri/uri.ts'
import { formatAddress, parseAddress } from './address.ts'
import { allow, expires, minExpires, retryAfter, supported, unsupported } from './numbers.ts'
import { contactExpires, contactInstance, contactQ, contacts } from './parties.ts'
import { formatReason, q850Cause, reasons } from './reason.ts'
import { formatSessionExpires, minSe, sessionExpires } from './session-timer.ts'
import { formatVia, newBranch, parseVia, replyTo, withReceived } from './via.ts'

const message = (...pairs: HeaderPairs) => ({ headers: toHeaders(pairs) })
const contact = (value: string) => contacts(message(['Contact', value]))

describe('an address', () => {
  test('has its name in quotes when it is written', () => {
    expect(
      formatAddress({ name: 'Ana "Nina" \\ Souza', uri: sipUri({ user: 'ana', host: 'example.com' }) }),
    ).toBe('"Ana \\"Nina\\" \\\\ Souza" <sip:ana@example.com>')
  })

  test('cannot break out of its line by its name or its parameters', () => {
    const uri = sipUri({ host: 'example.com' })
    const written = formatAddress({ name: 'a\r\nVia: x\0', uri, params: new Map([['x', 'a\r\nb']]) })
    expect(written).toBe('"a  Via: x " <sip:example.com>;x="a  b"')
  })

  test('may have a name beyond ASCII, quoted or not', () => {
    expect(parseAddress('"José" <sip:j@example.com>').name).toBe('José')
    expect(parseAddress('José da Silva <sip:j@example.com>').name).toBe('José da Silva')
  })

  test.each([
    '"Ana" sip:a@example.com',
    '<sip:a@example.com',
    '<sip:a@example.com> x',
    'Ana; <sip:a@example.com>',
    '<>',
    '<sip:a@example.com>;tag=1;TAG=2',
    '<sip:a@example.com>;tag=a b',
    '<sip:a@example.com>;x="a" b',
  ])('is refused: %s', (text) => {
    expect(() => parseAddress(text)).toThrow(SipRefusal)
  })
})

describe('contacts', () => {
  test('come in one line or several, and commas in quotes and brackets separate nothing', () => {
    const found = contacts(
      message(['m', '"a, b" <sip:a@x.com;p=1,2>;q=0.5, <sip:b@x.com>'], ['Contact', 'sip:c@x.com']),
    )
    expect(found === '*' ? [] : found.map(({ uri }) => uri)).toEqual(
      ['sip:a@x.com;p=1,2', 'sip:b@x.com', 'sip:c@x.com'].map(parseUri),
    )
  })

  test('may be all there are', () => {
    expect(contact('*')).toBe('*')
    expect(() => contacts(message(['Contact', '*'], ['Contact', '<sip:a@x.com>']))).toThrow(SipRefusal)
  })

  test('carry a time, a weight and the device', () => {
    const [one] = contact('<sip:a@x.com>;expires=60;q=0.7;reg-id=1;+sip.instance="<urn:uuid:0>"')
    if (typeof one !== 'object') throw new Error('no contact')
    expect([contactExpires(one), contactQ(one)]).toEqual([60, 0.7])
    expect(contactInstance(one)).toEqual({ instance: '<urn:uuid:0>', regId: 1 })
  })

  test('with a time that cannot be read stay an hour', () => {
    const times = ['', ';expires=x', ';expires=99999999999'].map((more) => {
      const [one] = contact(`<sip:a@x.com>${more}`)
      return typeof one === 'object' ? contactExpires(one) : undefined
    })
    expect(times).toEqual([undefined, 3600, 2 ** 32 - 1])
  })
})

describe('a Via', () => {
  test('is read with an IPv6 address and written the same', () => {
    const text = 'SIP/2.0/WSS [2001:db8::9]:443;branch=z9hG4bKa;received=2001:db8::7'
    expect(formatVia(parseVia(text))).toBe(text)
    expect(newBranch('a')).toBe('z9hG4bKa')
  })

  test('RFC 3581: notes the port where it is asked to, and the address then in any case', () => {
    const note = (text: string) =>
      formatVia(withReceived(parseVia(text), { address: '192.0.2.9', port: 7000 }))
    expect(note('SIP/2.0/UDP 10.0.0.1:5060;rport')).toBe(
      'SIP/2.0/UDP 10.0.0.1:5060;rport=7000;received=192.0.2.9',
    )
    expect(note('SIP/2.0/UDP 192.0.2.9;rport')).toBe('SIP/2.0/UDP 192.0.2.9;rport=7000;received=192.0.2.9')
    expect(note('SIP/2.0/UDP 10.0.0.1')).toBe('SIP/2.0/UDP 10.0.0.1;received=192.0.2.9')
    expect(note('SIP/2.0/UDP 192.0.2.9')).toBe('SIP/2.0/UDP 192.0.2.9')
  })

  test('says where the response goes', () => {
    expect(replyTo(parseVia('SIP/2.0/UDP a.com:5070;rport=7000;received=192.0.2.9'))).toEqual({
      host: '192.0.2.9',
      port: 7000,
    })
    expect(replyTo(parseVia('SIP/2.0/UDP a.com:5070'))).toEqual({ host: 'a.com', port: 5070 })
    expect(replyTo(parseVia('SIP/2.0/UDP a.com:5070;maddr=239.0.0.1'))).toEqual({
      host: '239.0.0.1',
      port: 5070,
    })
  })

  test.each([
    '',
    'SIP/2.0/UDP',
    'SIP/3.0/UDP a.com',
    'HTTP/2.0/UDP a.com',
    'SIP/2.0/UDP a.com b.com',
    'SIP/2.0/UDP a.com:x',
  ])('is refused: %s', (text) => {
    expect(() => parseVia(text)).toThrow(SipRefusal)
  })
})

describe('a reason', () => {
  test('gives the Q.850 cause, wherever it stands', () => {
    const text = 'SIP;cause=200;text="Call completed, elsewhere", Q.850;cause=16;text="Normal"'
    expect(q850Cause(message(['Reason', text]))).toBe(16)
    expect(reasons(message(['Reason', text]))[0]?.text).toBe('Call completed, elsewhere')
  })

  test('that cannot be read is none', () => {
    expect(
      ['Q.850;cause=0', 'Q.850;cause=200', 'Q.850', 'Q.850;cause="', ''].map((text) =>
        q850Cause(message(['Reason', text])),
      ),
    ).toEqual(Array(5).fill(undefined))
  })

  test('is written with its text in quotes', () => {
    expect(formatReason({ protocol: 'Q.850', cause: 17, text: 'User busy' })).toBe(
      'Q.850;cause=17;text="User busy"',
    )
  })
})

describe('session timers', () => {
  test('say how long and who refreshes', () => {
    expect(sessionExpires(message(['x', '1800;refresher=UAC']))).toEqual({ seconds: 1800, refresher: 'uac' })
    expect(minSe(message(['Min-SE', '90']))).toBe(90)
    expect(formatSessionExpires({ seconds: 1800, refresher: 'uas' })).toBe('1800;refresher=uas')
  })

  test('that cannot be read are none', () => {
    expect(['', 'x', '"', '90;;'].map((text) => sessionExpires(message(['x', text])))).toEqual(
      Array(4).fill(undefined),
    )
  })
})

describe('lists and times', () => {
  test('lists skip empty elements, and may be empty', () => {
    expect(supported(message(['k', 'timer, path'], ['Supported', ''], ['supported', ',100rel']))).toEqual([
      'timer',
      'path',
      '100rel',
    ])
    expect([allow(message()), unsupported(message(['Unsupported', 'x']))]).toEqual([[], ['x']])
  })

  test('seconds that cannot be read count as not given', () => {
    expect(expires(message(['Expires', '3600']))).toBe(3600)
    expect(expires(message(['Expires', 'Thu, 01 Dec 1994 16:00:00 GMT']))).toBeUndefined()
    expect(minExpires(message(['Min-Expires', '60']))).toBe(60)
    expect(retryAfter(message(['Retry-After', '120 (in a meeting);duration=5']))).toBe(120)
  })
})
