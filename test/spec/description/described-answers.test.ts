/** D539: the check that every answer to the tests goes through finds answers that are not described. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  answerFaults,
  createAnswerCheck,
  describeAnswers,
  findOperation,
} from '../../helpers/description/described-answers.ts'
import { createClient } from '../../helpers/service/client.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
let described: ReturnType<typeof describeAnswers>
beforeAll(async () => {
  service = await startService()
  described = describeAnswers((await service.api.get('/openapi.json')).body)
})
afterAll(() => service.stop())

const json = 'application/json'
const id = '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'
const placed = { status: '200', message: 'successful request', id }
const refused = (statusCode: number, code: string) => ({
  error: { statusCode, name: 'Error', message: 'No.', code, errorCode: code },
})
const faults = (status: number, body: unknown, type = json, path = '/calls', method = 'POST') =>
  answerFaults(described, { method, path, isForPeople: false }, { status, type, body })

describe('an answer as described passes', () => {
  test.each([
    ['a success', 200, placed],
    ['an error of the operation', 402, refused(402, 'INSUFFICIENT_CREDIT')],
    ['an error of every operation', 401, refused(401, 'INVALID_TOKEN')],
    ['a status that no operation lists', 503, refused(503, 'SERVICE_UNAVAILABLE')],
  ])('%s', (_what, status, body) => {
    expect(faults(status, body)).toEqual([])
  })

  test('a path that is not described', () => {
    expect(faults(404, refused(404, 'ROUTE_NOT_FOUND'), json, '/nowhere')).toEqual([])
  })

  test('a list whose filter leaves out fields', () => {
    const path = `/users?filter=${encodeURIComponent('{"fields":["uuid"]}')}`
    expect(faults(200, [{ uuid: id }], json, path, 'GET')).toEqual([])
    expect(faults(200, [{ uuid: id }], json, '/users', 'GET')).not.toEqual([])
  })
})

describe('found is', () => {
  test.each<[string, number, unknown, string, string]>([
    ['a success with another status', 201, placed, json, 'the status 201 is not listed'],
    ['a missing field', 200, { status: '200', id }, json, 'message'],
    ['a field of another type', 200, { ...placed, message: 7 }, json, '/message must be string'],
    [
      'a code of another operation',
      409,
      refused(409, 'EMAIL_TAKEN'),
      json,
      'the code EMAIL_TAKEN is not listed',
    ],
    [
      'a code with another status',
      404,
      refused(404, 'INSUFFICIENT_CREDIT'),
      json,
      'the code INSUFFICIENT_CREDIT',
    ],
    ['an error without its body', 402, {}, json, 'error'],
    ['another media type', 200, 'id', 'text/plain', 'the media type text/plain is not listed'],
  ])('%s', (_what, status, body, type, fault) => {
    expect(faults(status, body, type).join()).toContain(fault)
  })

  test('by the client of every test', async () => {
    const wrong = async () => Response.json({ ...placed, message: 7 })
    const client = createClient(
      'http://localhost/api/v1',
      wrong as typeof fetch,
      createAnswerCheck(service.url),
    )
    await expect(client.post('/calls', {})).rejects.toThrow(
      'POST /calls answered 200, not as described: /message',
    )
  })
})

test('a path with a word is no id, in any case of letters, and HEAD is the GET without its body', () => {
  const nameOf = (method: string, path: string) => findOperation(described, method, path)?.name
  expect(nameOf('GET', '/calls/stats?by=day')).toBe('GET /calls/stats')
  expect(nameOf('GET', `/Calls/${id}`)).toBe('GET /calls/{id}')
  expect(nameOf('GET', '/calls/hangup')).toBe(undefined)
  expect(nameOf('HEAD', '/calls')).toBe('GET /calls')
  expect(nameOf('HEAD', '/users/accessTokens')).toBe('HEAD /users/accessTokens')
})
