/** Words of the console that depend on what the service reports. */
import { expect, test } from 'vitest'
import { errorOf, NetworkError } from '../../clients/typescript/src/errors.ts'
import { explainError, fieldsOf } from '../../console/error-text.ts'
import { commonWords } from '../../console/words/common.ts'
import { explainFailure } from '../../console/words/failures.ts'
import { problem, refuse, refuseFields } from '../../src/contract/errors.ts'
import { errorBody } from '../../src/http/server/errors/error-body.ts'

test.each([
  ['the receiver answered 500', 'o destino respondeu 500', 'the receiver answered 500'],
  [
    'the receiver answered 302; redirects are not followed',
    'o destino respondeu 302: redirecionamentos não são seguidos',
    'the receiver answered 302: redirects are not followed',
  ],
  ['no answer within 10 s', 'sem resposta em 10 s', 'no answer within 10 s'],
  ['connect ECONNREFUSED 127.0.0.1:1', 'conexão recusada', 'connection refused'],
  ['queryA ENOTFOUND crm.example', 'endereço não encontrado', 'address not found'],
  ['something new', 'something new', 'something new'],
])('the failed delivery "%s" is explained in both languages', (reported, pt, en) => {
  expect([explainFailure(reported, 'pt'), explainFailure(reported, 'en')]).toEqual([pt, en])
})

test.each([
  ['pt', '`email` já existe', 'já existe'],
  ['en', '`email` already exists', 'already exists'],
] as const)(
  'a refusal and its fields are shown in the language that was asked for: %s',
  (language, text, field) => {
    const refusal = refuseFields('User', { email: [problem.taken] })
    const error = errorOf(422, new Headers(), JSON.stringify(errorBody(refusal, language)))
    expect(explainError(error, language)).toContain(text)
    expect(fieldsOf(error)).toEqual({ email: field })
  },
)

test('a limit of the account has its own message, and too many requests that of the console', () => {
  const { pt } = commonWords
  const explain = (code: 'DAILY_CALL_LIMIT' | 'RATE_LIMITED') =>
    explainError(errorOf(429, new Headers(), JSON.stringify(errorBody(refuse(code), 'pt'))), 'pt')
  expect(explain('DAILY_CALL_LIMIT')).toBe(errorBody(refuse('DAILY_CALL_LIMIT'), 'pt').error.localizedMessage)
  expect(explain('RATE_LIMITED')).toBe(pt.tooMany)
})

test('no answer, and one that is not of the service, have a message of the console', () => {
  const { en } = commonWords
  expect(explainError(new NetworkError('GET /calls: refused'), 'en')).toBe(en.noConnection)
  expect(explainError(errorOf(502, new Headers(), '<h1>Bad gateway</h1>'), 'en')).toBe(en.failed)
})
