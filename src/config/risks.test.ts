import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { risksOf } from './risks.ts'

const TRUNKS = '[{"name": "main", "address": "sip:carrier.example"}]'
const proxied = { PUBLIC_URL: 'https://voice.example', TRUST_PROXY: '127.0.0.1' }

test('D482: defaults, and a service behind a proxy of its own, have no dangerous combination', () => {
  expect(risksOf(readConfig({}))).toEqual([])
  expect(risksOf(readConfig(proxied))).toEqual([])
})

test.each([
  [{ TRUNKS, PAYMENT_GATEWAY: 'sandbox' }, /^PAYMENT_GATEWAY is sandbox and TRUNKS is set/],
  [
    { HOST: '0.0.0.0', HTTP_TLS_CERT: 'a', HTTP_TLS_KEY: 'b' },
    /^HOST is 0\.0\.0\.0 and PUBLIC_URL is not set/,
  ],
  [{ ...proxied, PUBLIC_URL: 'http://voice.example' }, /over http/],
  [{ ...proxied, TRUST_PROXY: '' }, /TRUST_PROXY is empty/],
  [{ ...proxied, RATE_LIMITS: 'off' }, /^RATE_LIMITS is off/],
  [{ ...proxied, WEBHOOK_ALLOW_PRIVATE: 'true' }, /^WEBHOOK_ALLOW_PRIVATE is true/],
  [{ SECRET_KEY: '0'.repeat(64) }, /^SECRET_KEY is that of an example/],
  [{ DATABASE_URL: 'postgres://ramal:change-me@db.example/ramal' }, /^DATABASE_URL is that of an example/],
  [{ METRICS_TOKEN: 'change-me' }, /^METRICS_TOKEN is that of an example/],
])('D482: %o is named', (env: Record<string, string>, sentence) => {
  expect(risksOf(readConfig(env))).toEqual([expect.stringMatching(sentence)])
})
