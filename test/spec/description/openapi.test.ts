/** The OpenAPI description: made from the validation schemas, complete, with examples that work, and small. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCodes } from '../../../src/contract/errors.ts'
import { eventTypes } from '../../../src/contract/webhooks/events.ts'
import type { ApiDocument, Content, Operation } from '../../../src/http/reference/document.ts'
import { exampleOfBody, faultsOf } from '../../helpers/description/api-description.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

const run = promisify(execFile)
const quiet = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
/** Some hundred operations with an example each; clients and the page of the reference load it at once. */
const maxBytes = 290_000

let service: Service
let description: ApiDocument
let file: string

beforeAll(async () => {
  service = await startService()
  description = (await service.api.get('/openapi.json')).body
  file = join(service.dataDir, 'openapi.json')
  await writeFile(file, JSON.stringify(description))
})
afterAll(() => service.stop())

type Named = { name: string; operation: Operation }

function operations(): Named[] {
  const all = { ...description.paths, ...description.webhooks }
  return Object.entries(all).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
}

const faults = (schema: unknown, value: unknown) => faultsOf(description, schema, value)
const exampleIn = (content: Content | undefined) => exampleOfBody(description, content)

test('has no fault that a linter finds', async () => {
  const { stdout, stderr } = await run('npm', ['run', '--silent', 'lint:openapi', '--', file], { env: quiet })
  expect(`${stdout}${stderr}`).not.toMatch(/warning|error/i)
})

test('is smaller than 290 kB', () => {
  expect(Buffer.byteLength(JSON.stringify(description))).toBeLessThan(maxBytes)
})

test('has patterns that tools in Python read: no Unicode classes', () => {
  const patterns = [...JSON.stringify(description).matchAll(/"pattern":("(?:[^"\\\\]|\\\\.)*")/g)]
  expect(patterns.length).toBeGreaterThan(3)
  for (const [, pattern = ''] of patterns) expect(JSON.parse(pattern)).not.toMatch(/\\p\{/i)
})

test('describes answers as they are: a new financial account, and lists as files', async () => {
  const admin = await openAccount(service)
  const { body } = await service.api.get('/accounts/financial', admin)
  expect(faults({ $ref: '#/components/schemas/FinancialAccount' }, body)).toEqual([])
  for (const path of ['/calls', '/credits/statement']) {
    const content = description.paths[path]?.get?.responses['200']?.content ?? {}
    expect(Object.keys(content)).toEqual(['application/json', 'text/csv', 'application/x-ndjson'])
  }
})

test('says nothing of numbers that only our own register knows', () => {
  expect(JSON.stringify(description).match(/\bD\d+\b/g)).toBe(null)
})

test('a client generated from it compiles, and listed records have all their fields', async () => {
  const folder = join(import.meta.dirname, '../../../node_modules/.cache/generated-client')
  await mkdir(folder, { recursive: true })
  const client = join(folder, 'client.ts')
  await run('npx', ['redocly', 'generate-client', file, '--output', client, '--import-ext', 'ts'], {
    env: quiet,
  })
  const program = `import * as client from './client.ts'
export async function use() {
  const calls = await client.getCalls({ query: { page: 1, filter: '{}' } })
  const texts: string[] = calls.data.map(({ id, from, to, record_url }) => id + from + to + record_url)
  const next: number | undefined = calls.meta.nextPage
  const placed = await client.postCalls({ body: { extension: '1000', called: '5548999998888' } })
  return [...texts, placed.id, next]
}
`
  await writeFile(join(folder, 'use.ts'), program)
  const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--types', 'node']
  const files = ['--allowImportingTsExtensions', '--ignoreConfig', join(folder, 'use.ts')]
  const { stdout } = await run('npx', ['tsc', ...options, ...files])
  expect(stdout).toBe('')
})

describe('every operation', () => {
  test('has a summary, and an example of each body that conforms to its schema', () => {
    const wrong = operations().flatMap(({ name, operation }) => {
      const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
      const bodies = [operation.requestBody?.content, ...answers.map(([, { content }]) => content)]
      const described = bodies.flatMap((content) => content?.['application/json'] ?? [])
      const problems = described.flatMap((body) => {
        const example = exampleIn({ 'application/json': body })
        return example === undefined ? ['has no example'] : faults(body.schema, example)
      })
      return [...problems, ...(operation.summary ? [] : ['has no summary'])].map(
        (problem) => `${name}: ${problem}`,
      )
    })
    expect(wrong).toEqual([])
  })

  test('has an example of its filter', () => {
    const filters = operations().flatMap(({ name, operation }) =>
      (operation.parameters ?? [])
        .filter(({ name: parameter }) => parameter === 'filter')
        .map((it) => [name, it] as const),
    )
    expect(filters.length).toBeGreaterThan(7)
    for (const [name, { example }] of filters) {
      expect(Object.keys(JSON.parse(String(example))), name).toContain('where')
    }
  })

  test('lists its error codes, by status', () => {
    const responses = description.paths['/calls']?.post?.responses ?? {}
    expect(Object.keys(responses)).toEqual([
      '200',
      '400',
      '401',
      '402',
      '403',
      '409',
      '422',
      '424',
      '429',
      'default',
    ])
    expect(responses[402]).toEqual({
      $ref: '#/components/responses/402',
      description: '`INSUFFICIENT_CREDIT`',
    })
    expect(description.components.responses[401]?.description).toBe(
      '`AUTHORIZATION_REQUIRED`, `INVALID_TOKEN`',
    )
  })
})

test('the check of examples finds faults', () => {
  const schema = { type: 'array', items: { $ref: '#/components/schemas/PlacedCall' } }
  expect(faults(schema, [{ status: '200', message: 7 }])).not.toEqual([])
})

test('every shared error has an example that conforms', () => {
  for (const { content } of Object.values(description.components.responses)) {
    const body = content?.['application/json']
    if (body) expect(faults(body.schema, body.example)).toEqual([])
  }
  const codes = description.components.schemas.Error?.properties?.error?.properties?.code
  expect(codes?.enum).toEqual(errorCodes)
})

test('describes the headers and the body of every webhook', () => {
  const types = [...eventTypes.map(({ type }) => type), 'test']
  expect(Object.keys(description.webhooks)).toEqual(types)
  for (const type of types) {
    const { parameters = [], requestBody } = description.webhooks[type]?.post ?? {}
    expect(parameters.map(({ $ref }) => $ref?.split('/').at(-1))).toEqual([
      'WebhookId',
      'WebhookTimestamp',
      'WebhookSignature',
    ])
    expect(exampleIn(requestBody?.content)).toMatchObject({ eventType: type })
  }
})

test('describes every route of the contract', () => {
  const routes = operations().map(({ name }) => name)
  expect(routes).toEqual(
    expect.arrayContaining([
      'POST /calls',
      'POST /dialer',
      'GET /calls',
      'POST /calls/{id}/hangup',
      'POST /charges',
      'GET /charges',
      'PATCH /charges/{id}/cancel',
      'GET /accounts/financial',
      'POST /accounts/financial',
      'PUT /accounts/financial',
      'PATCH /accounts',
      'POST /accounts/signup',
      'POST /extensions',
      'PATCH /extensions',
      'POST /extensions/next-available',
      'GET /extensions',
      'PATCH /integrations',
      'GET /integrations',
      'GET /users',
      'POST /users',
      'PATCH /users',
      'GET /users/me',
      'POST /users/accessTokens',
      'HEAD /users/accessTokens',
      'POST /users/login',
    ]),
  )
})
