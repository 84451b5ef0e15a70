/** The OpenAPI description: generated from the validation schemas, complete, and without lint errors. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Value from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Account, AccountPatch, AuditEntry, SignedUp, Signup } from '../../src/contract/accounts.ts'
import { CallRecord } from '../../src/contract/call-record.ts'
import { Hangup, NewCall, NewDial, PlacedCall, PlacedDial } from '../../src/contract/calls.ts'
import { ErrorBody } from '../../src/contract/common.ts'
import { Extension, ExtensionPatch, NewExtension, NextExtension } from '../../src/contract/extensions.ts'
import { AccessToken, ListedToken, Login, NewUser, User, UserPatch } from '../../src/contract/users.ts'
import { exampleOf } from '../../src/http/reference/openapi-example.ts'
import { createClient } from '../helpers/client.ts'
import { openAccount } from '../helpers/people.ts'
import { type Service, startService } from '../helpers/service.ts'

let service: Service
// biome-ignore lint/suspicious/noExplicitAny: a document read as its readers do.
let description: any

beforeAll(async () => {
  service = await startService()
  description = (await service.api.get('/openapi.json')).body
})
afterAll(() => service.stop())

test('has no fault that a linter finds', async () => {
  const file = join(service.dataDir, 'openapi.json')
  await writeFile(file, JSON.stringify(description))
  const lint = promisify(execFile)('npm', ['run', '--silent', 'lint:openapi', '--', file], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  const { stdout, stderr } = await lint
  expect(`${stdout}${stderr}`).not.toMatch(/warning|error/i)
})

test('describes every route of the contract that this version has', () => {
  const routes = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(routes.sort()).toEqual([
    'DELETE /extensions/{id}',
    'DELETE /users/accessTokens/{ref}',
    'GET /accounts',
    'GET /accounts/audit',
    'GET /accounts/confirm',
    'GET /accounts/financial',
    'GET /calls',
    'GET /calls/{id}',
    'GET /calls/{id}/recording',
    'GET /charges',
    'GET /credits/balance',
    'GET /credits/statement',
    'GET /events',
    'GET /extensions',
    'GET /integrations',
    'GET /integrations/{id}/deliveries',
    'GET /integrations/{id}/deliveries/{deliveryId}',
    'GET /openapi.json',
    'GET /users',
    'GET /users/accessTokens',
    'GET /users/me',
    'HEAD /calls/{id}/recording',
    'HEAD /users/accessTokens',
    'PATCH /accounts',
    'PATCH /charges/{id}/cancel',
    'PATCH /extensions',
    'PATCH /integrations',
    'PATCH /users',
    'POST /accounts/financial',
    'POST /accounts/signup',
    'POST /calls',
    'POST /calls/hangup',
    'POST /calls/{id}/hangup',
    'POST /charges',
    'POST /dialer',
    'POST /extensions',
    'POST /extensions/next-available',
    'POST /integrations/{id}/deliveries/{deliveryId}/redeliver',
    'POST /integrations/{id}/rotate-secret',
    'POST /integrations/{id}/test',
    'POST /users',
    'POST /users/accessTokens',
    'POST /users/login',
    'PUT /accounts/financial',
  ])
})

test('describes every error of a route with its body', () => {
  const { responses } = description.paths['/users'].post
  expect(Object.keys(responses)).toEqual([
    '200',
    '400',
    '401',
    '403',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ])
  const example = responses[422].content['application/json'].examples.IDEMPOTENCY_KEY_REUSED.value
  expect(Value.Check(ErrorBody, example)).toBe(true)
})

test.each([
  ['User', User],
  ['NewUser', NewUser],
  ['UserPatch', UserPatch],
  ['Login', Login],
  ['AccessToken', AccessToken],
  ['ListedToken', ListedToken],
  ['Account', Account],
  ['AccountPatch', AccountPatch],
  ['Signup', Signup],
  ['SignedUp', SignedUp],
  ['AuditEntry', AuditEntry],
  ['Extension', Extension],
  ['NewExtension', NewExtension],
  ['NextExtension', NextExtension],
  ['ExtensionPatch', ExtensionPatch],
  ['NewCall', NewCall],
  ['PlacedCall', PlacedCall],
  ['NewDial', NewDial],
  ['PlacedDial', PlacedDial],
  ['Hangup', Hangup],
  ['CallRecord', CallRecord],
])('the example of %s is one', (_name, schema) => {
  expect([...Value.Errors(schema, exampleOf(schema))]).toEqual([])
})

test('the example of a signup signs up', async () => {
  const { example } = description.paths['/accounts/signup'].post.requestBody.content['application/json']
  expect((await service.api.post('/accounts/signup', example)).status).toBe(201)
})

test('answers are as described', async () => {
  const admin = await openAccount(service)
  expect(Value.Check(User, (await service.api.get('/users/me', admin)).body)).toBe(true)
  expect(Value.Check(Account, (await service.api.get('/accounts', admin)).body)).toBe(true)
  expect(Value.Check(ErrorBody, (await service.api.get('/users')).body)).toBe(true)
  const { body: audit } = await service.api.get('/accounts/audit?page=1', admin)
  expect(audit.data.every((entry: unknown) => Value.Check(AuditEntry, entry))).toBe(true)
})

test('the reference at /docs needs nothing from outside', async () => {
  const outside = createClient(service.url)
  const { status, body: page } = await outside.get('/docs')
  expect(status).toBe(200)
  const sources = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source ?? '')
  expect(sources.length).toBeGreaterThan(3)
  for (const source of sources) {
    expect(source).not.toMatch(/^(https?:)?\/\//)
    expect((await outside.get(new URL(source, 'http://x/docs/').pathname)).status, source).toBe(200)
  }
})
