/** Words of the console that depend on what the service reports. */
import { expect, test } from 'vitest'
import { fieldsOf, messageOf } from '../../console/error-text.ts'
import { explainFailure } from '../../console/words/failures.ts'
import { problem, refuseFields } from '../../src/contract/errors.ts'
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
    const { error } = errorBody(refusal, language)
    expect(messageOf(error as never)).toContain(text)
    expect(fieldsOf(error as never)).toEqual({ email: field })
  },
)
