/** Codes of an authenticator app (D200): the vectors of the RFCs, and a program of others. */
import { describe, expect, test } from 'vitest'
import { programMissing } from '../../../test/helpers/programs/programs.ts'
import { oathtoolCode } from '../../../test/helpers/service/authenticator.ts'
import { toBase32 } from './base32.ts'
import { codeAt, findStep, newSecret, otpauthUri, stepAt } from './totp.ts'

const rfcSecret = Buffer.from('12345678901234567890')
const at = (seconds: number) => new Date(seconds * 1000)

test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('RFC 6238, appendix B: at %s s the code ends as %s', (seconds, eightDigits) => {
  expect(codeAt(rfcSecret, stepAt(at(seconds)))).toBe(eightDigits.slice(2))
})

test('RFC 4226, appendix D: the first ten codes', () => {
  expect(Array.from({ length: 10 }, (_, step) => codeAt(rfcSecret, step))).toEqual([
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ])
})

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('RFC 4648, section 10: %j in base32 is %j', (text, encoded) => {
  expect(toBase32(Buffer.from(text))).toBe(encoded)
})

describe('a code', () => {
  const now = at(1_800_000_015)
  const current = stepAt(now)
  const codeOf = (steps: number) => codeAt(rfcSecret, current + steps)

  test.each([-1, 0, 1])('of %s steps from now is right', (steps) => {
    expect(findStep(rfcSecret, codeOf(steps), now, 0)).toBe(current + steps)
  })

  test.each([-2, 2])('of %s steps from now is wrong', (steps) => {
    expect(findStep(rfcSecret, codeOf(steps), now, 0)).toBeUndefined()
  })

  test('of a step that was used, or of one before it, is wrong', () => {
    expect(findStep(rfcSecret, codeOf(0), now, current)).toBeUndefined()
    expect(findStep(rfcSecret, codeOf(-1), now, current)).toBeUndefined()
    expect(findStep(rfcSecret, codeOf(1), now, current)).toBe(current + 1)
  })
})

test('the URI for apps names issuer, user and secret', () => {
  const uri = new URL(otpauthUri(rfcSecret, 'Ramal', 'ana+1@example.com'))
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Ramal:ana+1@example.com',
  ])
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    issuer: 'Ramal',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

test.skipIf(programMissing('oathtool'))('oathtool makes the same codes', () => {
  for (let n = 0; n < 20; n += 1) {
    const secret = newSecret()
    const seconds = 1_700_000_000 + n * 12_345_678
    const theirs = oathtoolCode(toBase32(secret), at(seconds))
    expect(codeAt(secret, stepAt(at(seconds)))).toBe(theirs)
  }
})
