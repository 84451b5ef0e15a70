import { describe, expect, test } from 'vitest'
import { SipRefusal } from '../refusal.ts'
import { sameUri } from './compare.ts'
import { parseUri } from './parse.ts'
import { formatUri, sipUri } from './uri.ts'

describe('a URI is written as it was read', () => {
  test.each([
    'sip:alice@atlanta.com',
    'sip:alice:secretword@atlanta.com;transport=tcp',
    'sips:1212@gateway.com',
    'sip:+5511999990000@carrier.example:5080;user=phone',
    'sip:[2001:db8::10]:5070',
    'sip:alice;day=tuesday@atlanta.com',
    'sip:atlanta.com;method=REGISTER?to=alice%40atlanta.com',
    'sip:192.0.2.4;lr',
    'tel:+1-201-555-0123',
    'tel:7042;phone-context=example.com',
    'urn:service:sos',
  ])('%s', (text) => {
    expect(formatUri(parseUri(text))).toBe(text)
  })

  test('with the escapes it needs and no others', () => {
    expect(formatUri(parseUri('sip:%61lice%20b@atlanta.com;x=%3b'))).toBe('sip:alice%20b@atlanta.com;x=%3B')
    expect(formatUri(sipUri({ user: 'a@b:c>\r\n', host: 'example.com' }))).toBe(
      'sip:a%40b%3Ac%3E%0D%0A@example.com',
    )
  })

  test('with the host in small letters and an IPv6 address in its shortest form', () => {
    expect(formatUri(parseUri('SIP:a@EXAMPLE.com'))).toBe('sip:a@example.com')
    expect(parseUri('sip:[2001:DB8:0:0:0:0:0:1]')).toMatchObject({ host: '2001:db8::1', port: undefined })
  })
})

describe('a URI is refused', () => {
  test.each([
    ['', 'nothing'],
    ['sip:', 'no host'],
    ['alice', 'no scheme'],
    ['sip:alice@', 'no host behind the user'],
    ['sip:@example.com', 'no user before the sign for one'],
    ['sip:a@b@example.com', 'two users'],
    ['sip:a b@example.com', 'a blank'],
    ['sip:a@exa mple.com', 'a blank in the host'],
    ['sip:a@example.com:0', 'port 0'],
    ['sip:a@example.com:65536', 'a port too high'],
    ['sip:a@example.com:', 'an empty port'],
    ['sip:a@[::1', 'an open bracket'],
    ['sip:a@[1.2.3.4]', 'brackets around IPv4'],
    ['sip:a@[fe80::1%25eth0]', 'a zone'],
    ['sip:a@example.com;;lr', 'an empty parameter'],
    ['sip:a@example.com;lr;LR', 'a parameter given twice'],
    ['sip:%zz@example.com', 'a broken escape'],
    ['sip:%ff@example.com', 'an escape that is no UTF-8'],
    ['tel:', 'no number'],
    ['tel:+', 'a number without digits'],
    [`sip:${'a'.repeat(1024)}@example.com`, 'more than 1 KiB'],
  ])('%s: %s', (text) => {
    expect(() => parseUri(text)).toThrow(SipRefusal)
  })
})

describe('RFC 3261, 19.1.4: two URIs are the same', () => {
  test.each([
    ['sip:%61lice@atlanta.com;transport=TCP', 'sip:alice@AtLanTa.CoM;Transport=tcp'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com;newparam=5'],
    ['sip:carol@chicago.com;newparam=5', 'sip:carol@chicago.com;security=on'],
    [
      'sip:biloxi.com;transport=tcp;method=REGISTER?to=sip:bob%40biloxi.com',
      'sip:biloxi.com;method=REGISTER;transport=tcp?to=sip:bob%40biloxi.com',
    ],
    [
      'sip:alice@atlanta.com?subject=project%20x&priority=urgent',
      'sip:alice@atlanta.com?priority=urgent&subject=project%20x',
    ],
    ['tel:+1-201-555-0123', 'tel:+12015550123'],
  ])('%s and %s', (a, b) => {
    expect([sameUri(parseUri(a), parseUri(b)), sameUri(parseUri(b), parseUri(a))]).toEqual([true, true])
  })

  test.each([
    ['SIP:ALICE@AtLanTa.CoM;Transport=udp', 'sip:alice@AtLanTa.CoM;Transport=UDP'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com:5060'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com;transport=udp'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com:6000;transport=tcp'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com?Subject=next%20meeting'],
    ['sip:bob@phone21.boxesbybob.com', 'sip:bob@192.0.2.4'],
    ['sip:carol@chicago.com;security=on', 'sip:carol@chicago.com;security=off'],
    ['sip:a@b.com', 'sips:a@b.com'],
    ['sip:a@b.com', 'tel:+12015550123'],
  ])('and these are not: %s and %s', (a, b) => {
    expect([sameUri(parseUri(a), parseUri(b)), sameUri(parseUri(b), parseUri(a))]).toEqual([false, false])
  })
})
