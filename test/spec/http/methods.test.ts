/** D159, D160: methods that a path does not have, and HEAD wherever there is GET. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describedRoutes } from '../../helpers/description/described-routes.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
})
afterAll(() => service.stop())

describe('a method that a known path does not have (D159)', () => {
  test.each([
    ['PUT', '/users', 'GET, HEAD, OPTIONS, PATCH, POST'],
    ['GET', '/accounts/signup', 'OPTIONS, POST'],
    ['DELETE', '/calls/0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d/hangup', 'OPTIONS, POST'],
    ['GET', '/calls/hangup', 'OPTIONS, POST'],
  ])('%s %s is 405 with Allow, whatever its body', async (method, path, allow) => {
    const body = method === 'PUT' ? '{' : undefined
    const { status, headers, body: answer } = await service.api.send(method, path, body, admin)
    expect([status, answer.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(headers.get('allow')).toBe(allow)
  })

  test('names the methods that the path has in its message', async () => {
    const { body } = await service.api.send(
      'PUT',
      '/users',
      {},
      {
        headers: { 'accept-language': 'pt' },
      },
    )
    expect(body.error.message).toBe('This path does not take PUT. It takes GET, HEAD, PATCH, POST.')
    expect(body.error.localizedMessage).toBe(
      'Este caminho não aceita PUT. Ele aceita GET, HEAD, PATCH, POST.',
    )
  })

  test('needs no token', async () => {
    expect((await service.api.send('DELETE', '/users', undefined)).status).toBe(405)
  })

  test('OPTIONS that is no preflight answers 204 with Allow', async () => {
    const { status, headers } = await service.api.send('OPTIONS', '/accounts', undefined)
    expect([status, headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, PATCH'])
  })

  test('of an unknown path is 404', async () => {
    expect((await service.api.send('PUT', '/nowhere', {}, admin)).status).toBe(404)
  })
})

describe('HEAD (D160)', () => {
  test('answers what GET does, without a body, on every route', async () => {
    const readable = (await describedRoutes(service)).filter(({ method }) => method === 'GET')
    expect(readable.length).toBeGreaterThan(10)
    for (const { path } of readable) {
      // D53: HEAD of this path says whether the token exists.
      if (path === '/users/accessTokens') continue
      // D298: this stream has no end; its HEAD is below.
      if (path === '/live') continue
      const get = await service.api.get(path, admin)
      const head = await service.api.send('HEAD', path, undefined, admin)
      expect([head.status, head.body || ''], path).toEqual([get.status, ''])
      for (const name of ['content-type', 'content-length', 'cache-control']) {
        expect(head.headers.get(name), `${path} ${name}`).toBe(get.headers.get(name))
      }
    }
  })

  test('of the live stream answers at once (D298)', async () => {
    const { status, headers, body } = await service.api.send('HEAD', '/live', undefined, admin)
    expect([status, headers.get('content-type'), body || '']).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ])
  })

  test('of an access token keeps its own meaning (D53)', async () => {
    expect((await service.api.send('HEAD', '/users/accessTokens', undefined, admin)).status).toBe(200)
    expect((await service.api.send('HEAD', '/users/accessTokens', undefined, { token: 'x' })).status).toBe(
      404,
    )
  })
})
