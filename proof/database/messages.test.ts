import { expect, test } from 'vitest'
import { asLockTimeout, withoutTimeouts } from './messages.ts'

/** As a driver writes it: length, version, names and values. */
const startup = (timeout: string) => {
  const settings = ['user', 'ramal', 'statement_timeout', timeout, 'application_name', 'statement_timeout']
  const names = [...settings, 'idle_in_transaction_session_timeout', timeout, 'lock_timeout', timeout, '', '']
  return Buffer.concat([Buffer.from([0, 0, 0, 150, 0, 3, 0, 0]), Buffer.from(names.join('\0'))])
}

test('D552: a session of the simulation has no timeouts in real time', () => {
  expect(withoutTimeouts(startup('20000')).toString()).toBe(startup('00000').toString())
  const plain = Buffer.from('\0\0\0\x14\0\x03\0\0user\0ramal\0\0')
  expect(withoutTimeouts(plain)).toEqual(plain)
})

test('D564: the error of a cancelled statement becomes that of one that waited too long', () => {
  const error = (code: string) => Buffer.from(`E\0\0\0\x20SERROR\0C${code}\0M\xe9\0\0`, 'latin1')
  expect(asLockTimeout(error('57014'))).toEqual(error('55P03'))
})
