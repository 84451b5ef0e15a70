import pg from 'pg'
import { expect, test } from 'vitest'
import { asRefusal } from './error-body.ts'

test.each([
  ['a deadlock', '40P01'],
  ['a serialization failure', '40001'],
  ['a database that shuts down', '57P01'],
])('%s is answered 503: the transaction was rolled back, and may be tried again', (_what, code) => {
  const error = Object.assign(new pg.DatabaseError('deadlock detected', 1, 'error'), { code })
  expect(asRefusal(error, undefined)).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryAfter: 2,
    cause: error,
  })
})

test('a mistake in a statement is a fault of ours', () => {
  const error = Object.assign(new pg.DatabaseError('syntax error', 1, 'error'), { code: '42601' })
  expect(asRefusal(error, undefined)).toBeUndefined()
})
