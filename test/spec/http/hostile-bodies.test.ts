/** No body, however hostile, causes a 500 or a partial change (D100, D101). */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
})
afterAll(() => service.stop())

const person = { senha: '12345678', first_name: 'A', last_name: 'B', email_address: 'a@b.example' }
const user = { name: 'Ana', email: 'ana@x.example', phone: '48999998888', role: 'USER' }
const account = { domain: 'x.ramal.localhost', organization_name: 'X', crm: 'Outros', user_quantity: '1-5' }

const routes: [method: string, path: string, fields: Record<string, unknown>][] = [
  ['POST', '/users', { ...user, password: '12345678' }],
  ['PATCH', '/users', { ...user, uuid: '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d', emailVerified: true }],
  ['PATCH', '/accounts', { name: 'X', email: 'x@y.example', phone: '48999998888' }],
  [
    'POST',
    '/accounts/signup',
    { ...account, email: 'z@y.example', password: '12345678', phone: '4833334444' },
  ],
  ['POST', '/users/accessTokens', { ttl: 60 }],
  ['POST', '/extensions', { ...person, ramal: '1234', bina: '1133334444', gravar_audio: 1 }],
  ['POST', '/extensions/next-available', { ...person, bina: null }],
  ['PATCH', '/extensions', { ...person, id: 1 }],
  ['POST', '/calls', { extension: '1000', called: '48999998888', caller: '1000', metadata: { a: [1] } }],
  ['POST', '/dialer', { extension: '1000', phone: '48999998888', metadata: {} }],
  ['POST', '/calls/hangup', { id: '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d' }],
]

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\0', 'a\0b', '\ud800', 'x'.repeat(300), '٣٤٥٦', '1'.repeat(15), 9e15, -1, [], {}),
  fc.jsonValue(),
)

function bodyOf(fields: Record<string, unknown>) {
  const parts = Object.entries(fields).map(
    ([name, good]) => [name, fc.oneof(fc.constant(good), hostile)] as const,
  )
  return fc.record(Object.fromEntries(parts), { requiredKeys: [] })
}

test.each(routes)('%s %s answers below 500', async (method, path, fields) => {
  await fc.assert(
    fc.asyncProperty(bodyOf(fields), async (body) => {
      expect((await service.api.send(method, path, body, admin)).status).toBeLessThan(500)
    }),
    { numRuns: 40 },
  )
})

test.each([
  ['a NUL in a text', '{"name":"a\\u0000b"}'],
  ['a NUL in a name', '{"na\\u0000me":"a"}'],
  ['half a character', '{"name":"\\ud83d"}'],
])('%s is refused with 400', async (_what, body) => {
  const { status, body: answer } = await service.api.patch('/accounts', body, admin)
  expect([status, answer.error.code]).toEqual([400, 'MALFORMED_BODY'])
})

test('a whole character written in escapes, and the letters of an escape, are taken', async () => {
  const { status, body } = await service.api.patch('/accounts', '{"name":"\\ud83d\\ude00 \\\\u0000"}', admin)
  expect([status, body.name]).toEqual([200, '😀 \\u0000'])
})

test('a body nested a hundred thousand deep is refused like any other', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  expect((await service.api.post('/users', `{"name":${deep}}`, admin)).status).toBe(422)
})
