/** The examples of the OpenAPI description (D167), sent to the service as they are: a client that copies them succeeds. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiDocument } from '../../../src/http/reference/document.ts'
import { exampleOfBody, faultsOf } from '../../helpers/api-description.ts'
import { mailedLink, press } from '../../helpers/people.ts'
import type { Service } from '../../helpers/service.ts'
import { startVoiceService, type VoiceService } from '../../helpers/voice.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries.
type Wire = any

let service: VoiceService
let description: ApiDocument
let token = ''

beforeAll(async () => {
  // The day of the examples: a charge is due within a week of it.
  service = await startVoiceService({}, '2026-11-15T12:00:00Z')
  description = (await service.api.get('/openapi.json')).body
})
afterAll(() => service.stop())

function bodyOf(method: string, path: string): Wire {
  const operation = description.paths[path]?.[method.toLowerCase()]
  return exampleOfBody(description, operation?.requestBody?.content)
}

/** Sends the example of an operation, and checks the answer against its schema. */
async function send(
  method: string,
  path: string,
  ids: Record<string, unknown> = {},
  body = bodyOf(method, path),
) {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]))
  const answer = await service.api.send(method, address, body, { token: token || undefined })
  const described = description.paths[path]?.[method.toLowerCase()]?.responses[answer.status]
  expect([`${method} ${path}`, answer.status, described?.description], JSON.stringify(answer.body)).toEqual([
    `${method} ${path}`,
    answer.status,
    'OK',
  ])
  const schema = described?.content?.['application/json']?.schema
  if (schema) expect(faultsOf(description, schema, answer.body), `${method} ${path}`).toEqual([])
  return answer.body
}

test('every example of a body is accepted, and every answer is as described', {
  timeout: 120_000,
}, async () => {
  const signup = bodyOf('POST', '/accounts/signup')
  await send('POST', '/accounts/signup')
  await press(await mailedLink(service as unknown as Service, signup.email))
  token = (await send('POST', '/users/login')).id

  const made = await send('POST', '/users')
  await send('GET', '/users/{uuid}', made)
  const { password: _none, ...invitation } = bodyOf('POST', '/users')
  const invited = await send('POST', '/users', {}, { ...invitation, email: 'bia@example.com' })
  await send('POST', '/users/invitations', {}, { uuid: invited.uuid })
  await send('DELETE', '/users/{uuid}', invited)
  await send('GET', '/users/me/second-factor')
  await send('POST', '/users/me/second-factor')
  await send('POST', '/users/change-password')
  await send('POST', '/users/reset')
  await send('POST', '/users/resend-confirmation')
  await send('PATCH', '/users')
  await send('PATCH', '/accounts')
  const { id: extensionId } = await send('POST', '/extensions')
  const next = await send('POST', '/extensions/next-available')
  await send('PATCH', '/extensions', {}, { ...bodyOf('PATCH', '/extensions'), id: extensionId })
  await send('DELETE', '/extensions/{id}', next)

  service.engine.register({ domain: signup.domain, number: '1000' })
  const placed = await send('POST', '/calls')
  await send('GET', '/calls/{id}', placed)
  await send('POST', '/calls/hangup', {}, { id: placed.id })
  await send('POST', '/calls/{id}/hangup', await send('POST', '/dialer'))

  await send('POST', '/accounts/financial')
  await send('PUT', '/accounts/financial')
  await send('PATCH', '/charges/{id}/cancel', await send('POST', '/charges'))

  const integration = await send('PATCH', '/integrations')
  await send('POST', '/integrations/{id}/rotate-secret', integration)
  const delivery = await send('POST', '/integrations/{id}/test', integration)
  const ids = { id: integration.id, deliveryId: delivery.id }
  await send('GET', '/integrations/{id}/deliveries/{deliveryId}', ids)

  await send('POST', '/users/accessTokens')
  const [{ ref }] = await send('GET', '/users/accessTokens')
  expect(ref).toBeTypeOf('string')
})

test('every list without a path parameter takes the example of its filter', async () => {
  const lists = Object.entries(description.paths).flatMap(([path, { get }]) => {
    const parameters = get?.parameters ?? []
    return path.includes('{') || !parameters.some(({ name }) => name === 'filter')
      ? []
      : [{ path, parameters }]
  })
  expect(lists.length).toBeGreaterThan(6)
  for (const { path, parameters } of lists) {
    const query = new URLSearchParams()
    for (const { name, example } of parameters) if (example !== undefined) query.set(name, String(example))
    const { status, body } = await service.api.get(`${path}?${query}`, { token })
    expect([path, status, body.error]).toEqual([path, 200, undefined])
    const schema = description.paths[path]?.get?.responses[200]?.content?.['application/json']?.schema
    expect(faultsOf(description, schema, body), path).toEqual([])
  }
})

test('records in a list are as described', async () => {
  for (const path of [
    '/calls?page=1',
    '/charges?page=1',
    '/users',
    '/extensions',
    '/integrations',
    '/accounts/audit?page=1',
    '/credits/statement?page=1',
  ]) {
    const { body } = await service.api.get(path, { token })
    const schema =
      description.paths[path.split('?', 1)[0] ?? '']?.get?.responses[200]?.content?.['application/json']
        ?.schema
    expect((body.data ?? body).length, path).toBeGreaterThan(0)
    expect(faultsOf(description, schema, body), path).toEqual([])
  }
})
