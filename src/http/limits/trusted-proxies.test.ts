import { expect, test } from 'vitest'
import { trustedProxies } from './trusted-proxies.ts'

test('D105: peers in the networks of the proxies are trusted, others are not, however often they ask', () => {
  const isTrusted = trustedProxies(['10.0.0.0/8', '2001:db8::/32'])
  for (let times = 0; times < 2; times += 1) {
    expect(['10.1.2.3', '2001:db8::1'].map(isTrusted)).toEqual([true, true])
    expect(['192.0.2.1', '2001:db9::1'].map(isTrusted)).toEqual([false, false])
  }
})

test('D105: beyond the thousand peers whose answers are kept, answers are right too', () => {
  const isTrusted = trustedProxies(['10.0.0.0/8'])
  for (let n = 0; n < 1_100; n += 1) expect(isTrusted(`192.0.${n >> 8}.${n & 255}`)).toBe(false)
  expect([isTrusted('10.9.9.9'), isTrusted('10.9.9.9'), isTrusted('192.0.0.1')]).toEqual([true, true, false])
})
