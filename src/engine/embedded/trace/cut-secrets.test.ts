import { describe, expect, test } from 'vitest'
import { cutSecrets } from './cut-secrets.ts'

const message = (lines: string[], body: string[] = []) => [...lines, '', ...body, ''].join('\r\n')
const invite = 'INVITE sip:5548999998888@ramal.test SIP/2.0'
const keys = [
  'v=0',
  'm=audio 4000 RTP/SAVP 0',
  'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj|2^20|1:32;inline:second|2^20',
  'a=ice-ufrag:8hhY',
  'a=ice-pwd:asd88fgpdd777uzjYhagZg',
  'k=base64:c2VjcmV0',
  'a=key-mgmt:mikey AQAFgM0XflABAAA',
]

describe('what is cut', () => {
  test.each<[string, string[], string[], string[]]>([
    [
      'the response of Digest, not who it is of',
      [
        invite,
        'Authorization: Digest username="1000", realm="ramal.test", nonce="abc-nonce", uri="sip:a@b", response="0123456789abcdef", cnonce="cn-1", nc=00000001',
      ],
      ['0123456789abcdef', 'abc-nonce', 'cn-1'],
      ['Digest username="1000", realm="ramal.test"', 'uri="sip:a@b"', 'nc=00000001'],
    ],
    [
      'credentials that go on in the next line, in any spelling',
      [
        invite,
        'PROXY-authorization : digest username="1000",',
        ' response = "fedcba98",',
        '\tcnonce=bare',
        'CSeq: 1 INVITE',
      ],
      ['fedcba98', 'bare'],
      ['username="1000"', 'CSeq: 1 INVITE'],
    ],
    [
      'credentials of other schemes',
      [invite, 'Authorization: Basic MTAwMDpzZWNyZXQ='],
      ['MTAwMDpzZWNyZXQ='],
      ['Basic '],
    ],
    [
      'a quote that does not end',
      [invite, 'Authorization: Digest response="fedcba98'],
      ['fedcba98'],
      ['Digest response='],
    ],
    [
      'what is no parameter',
      [invite, 'Authorization: Digest fedcba98, realm="r"'],
      ['fedcba98'],
      ['realm="r"'],
    ],
    [
      'what the server proves',
      ['SIP/2.0 200 OK', 'Authentication-Info: rspauth="aa55", qop=auth'],
      ['aa55'],
      ['qop=auth'],
    ],
    [
      'the signature of a node',
      [invite, 'X-Node-Signature: from=a;to=b;time=1;nonce=n;mac=c2ln'],
      ['c2ln'],
      ['X-Node-Signature:'],
    ],
    [
      'a password in a URI',
      [invite, 'Contact: <sip:1000:s3cret@192.0.2.7:5060>'],
      ['s3cret'],
      ['sip:1000:', '@192.0.2.7:5060'],
    ],
  ])('%s', (_what, lines, secrets, shown) => {
    const text = cutSecrets(message(lines))
    for (const secret of secrets) expect(text).not.toContain(secret)
    for (const part of shown) expect(text).toContain(part)
    expect(text).toHaveLength(message(lines).length)
  })

  test('keys of SRTP and the password of ICE, in a body whose length stays', () => {
    const whole = message([invite, 'Content-Type: application/sdp'], keys)
    const text = cutSecrets(whole)
    for (const secret of ['d0Rmdmcm', 'second', 'asd88fg', 'c2VjcmV0', 'AQAFgM0'])
      expect(text).not.toContain(secret)
    expect(text).toContain('a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:x')
    expect(text).toContain('|2^20|1:32')
    expect(text).toContain('a=ice-ufrag:8hhY')
    expect(text).toHaveLength(whole.length)
  })

  test.each([
    ['dtmf-relay', ['Content-Type: application/dtmf-relay'], ['Signal=7', 'Duration=160']],
    ['dtmf', ['c: application/dtmf'], ['7']],
    [
      'several parts',
      ['Content-Type: multipart/mixed;boundary=b'],
      ['--b', 'Content-Type: application/dtmf', '', '7', '--b--'],
    ],
  ])('keys that were pressed, in an INFO with %s', (_kind, head, body) => {
    const text = cutSecrets(message(['INFO sip:1000@ramal.test SIP/2.0', ...head], body))
    expect(text.slice(text.indexOf('\r\n\r\n'))).toMatch(/^[x\s]*$/)
    expect(text).toContain('INFO sip:1000@ramal.test SIP/2.0')
  })
})

test('the rest stays as it is, also the challenge and the status of a transfer', () => {
  const challenge = message([
    'SIP/2.0 401 Unauthorized',
    'WWW-Authenticate: Digest realm="ramal.test", nonce="abc"',
  ])
  const notify = message(['NOTIFY sip:1000@a SIP/2.0', 'Content-Type: message/sipfrag'], ['SIP/2.0 200 OK'])
  expect(cutSecrets(challenge)).toBe(challenge)
  expect(cutSecrets(notify)).toBe(notify)
})

test.each([
  ['URIs', message([invite], []) + 'sip:'.repeat(8_000)],
  ['a name of a parameter', message([invite, `Authorization: Digest ${'a'.repeat(32_000)}`])],
  ['blanks', message([invite, `Authorization: Digest a${' '.repeat(32_000)}b`])],
  ['quotes', message([invite, `Authorization: Digest ${'a="'.repeat(10_001)}`])],
  ['names of headers', message([invite, `Authorization${' '.repeat(32_000)}`])],
])('a long message is cut in time that grows with its length, not with its square: %s', (_what, text) => {
  const begun = performance.now()
  cutSecrets(text)
  expect(performance.now() - begun).toBeLessThan(100)
})
