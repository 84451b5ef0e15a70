import { expect, test } from 'vitest'
import { ConfigError } from './config/readers.ts'
import { readConfig } from './config.ts'

const refusal = (env: Record<string, string>) => {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return undefined
}

test('every setting has a default', () => {
  expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 3000, rateLimits: true, trustProxy: [] })
})

test('an empty value means the default, and spaces around a value mean nothing', () => {
  expect(readConfig({ PORT: ' ', HOST: ' 0.0.0.0 ' })).toMatchObject({ port: 3000, host: '0.0.0.0' })
})

test('the configuration cannot be changed', () => {
  expect(Object.isFrozen(readConfig({}))).toBe(true)
})

test('secrets have no default', () => {
  const { secretKey, metricsToken, smtpUrl, databaseUrl, redisUrl } = readConfig({})
  expect([secretKey, metricsToken, smtpUrl, databaseUrl, redisUrl]).toEqual(Array(5).fill(undefined))
})

test.each([
  ['PORT', '70000', 'PORT must be a whole number from 0 to 65535.'],
  ['PORT', '3000x', 'PORT must be a whole number from 0 to 65535.'],
  ['RATE_LIMITS', 'yes', 'RATE_LIMITS must be one of on, off.'],
  ['DATABASE_URL', 'mysql://db', 'DATABASE_URL must be a URL starting with postgres:// or postgresql://.'],
  ['REDIS_URL', 'localhost', 'REDIS_URL must be a URL starting with redis:// or rediss://.'],
  ['PUBLIC_URL', 'ramal.example', 'PUBLIC_URL must be a URL starting with http:// or https://.'],
  ['PUBLIC_URL', 'https://x.example/?a=b', 'PUBLIC_URL must not have a query string.'],
  ['SECRET_KEY', 'changeme', 'SECRET_KEY must be 64 hexadecimal digits (32 random bytes).'],
  ['TRUST_PROXY', 'everyone', 'TRUST_PROXY must be addresses or networks such as 10.0.0.1, 10.0.0.0/8.'],
  ['TRUST_PROXY', '10.0.0.0/33', 'TRUST_PROXY must be addresses or networks such as 10.0.0.1, 10.0.0.0/8.'],
  [
    'ACCOUNT_DOMAIN_SUFFIX',
    'x',
    'ACCOUNT_DOMAIN_SUFFIX must be a dot and a lower-case domain, such as .calls.example.',
  ],
  ['ACCOUNT_TIME_ZONE', 'Mars/Base', 'ACCOUNT_TIME_ZONE must be a time zone name such as America/Sao_Paulo.'],
  ['STRICT_PAGING', '1', 'STRICT_PAGING must be one of true, false.'],
  ['SMTP_URL', 'smtp://m', 'SMTP_URL is set but MAIL_FROM is not: say which address our mail comes from.'],
])('%s=%s is refused with one sentence', (name, value, sentence) => {
  expect(refusal({ [name]: value })).toBe(sentence)
})

test('D480: with a carrier the payment sandbox must be asked for by name', () => {
  const TRUNKS = '[{"name": "main", "address": "sip:carrier.example"}]'
  expect(refusal({ TRUNKS })).toMatch(
    /^TRUNKS is set but PAYMENT_GATEWAY is not: .* PAYMENT_GATEWAY=sandbox /,
  )
  expect(readConfig({ TRUNKS, PAYMENT_GATEWAY: 'sandbox' }).paymentGateway).toBe('sandbox')
  expect(readConfig({}).paymentGateway).toBe('sandbox')
})

test('operator pages are open only while the service listens on this machine alone', () => {
  for (const HOST of ['127.0.0.1', '127.0.0.9', 'localhost', '::1'])
    expect(readConfig({ HOST }).operatorPages).toBe(true)
  for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'ramal.example'])
    expect(readConfig({ HOST }).operatorPages).toBe(false)
  expect(readConfig({ PUBLIC_URL: 'http://localhost:3000' }).operatorPages).toBe(true)
  expect(readConfig({ PUBLIC_URL: 'https://ramal.example' }).operatorPages).toBe(false)
})

test('webhooks may be at private addresses by default only while nothing is reached from outside', () => {
  const allowed = (env: Record<string, string>) => readConfig(env).webhookAllowPrivate
  expect(allowed({})).toBe(true)
  expect(allowed({ PUBLIC_URL: 'http://[::1]:3000' })).toBe(true)
  expect(allowed({ HOST: '0.0.0.0' })).toBe(false)
  expect(allowed({ SIP_HOST: '192.0.2.1' })).toBe(false)
  expect(allowed({ PUBLIC_URL: 'https://ramal.example' })).toBe(false)
  expect(allowed({ DATABASE_URL: 'postgres://db.example/ramal' })).toBe(false)
  expect(allowed({ HOST: '0.0.0.0', WEBHOOK_ALLOW_PRIVATE: 'true' })).toBe(true)
})
