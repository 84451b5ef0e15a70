/** D537: what the comparison of two versions reports, and what it lets pass. */
import { describe, expect, test } from 'vitest'
import type { ApiDocument, Operation, Schema } from '../../src/http/reference/document.ts'
import { findApiChanges } from '../../tools/compatibility/api-changes.ts'
import {
  findCommandChanges,
  findMigrationChanges,
  findSettingChanges,
  type Settings,
  wordsOfHelp,
} from '../../tools/compatibility/operator-changes.ts'

/** Placing and listing calls, and a webhook, as a small API has them. */
function smallApi() {
  const NewCall = {
    type: 'object',
    required: ['called'],
    properties: {
      called: { type: 'string', minLength: 1, maxLength: 40, pattern: '^[0-9]+$' },
      mode: { enum: ['fast', 'slow'] },
      tries: { type: 'integer', minimum: 1, maximum: 5 },
      id: { anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }] },
      tags: { type: 'array', items: { type: 'string' } },
      metadata: { type: 'object', additionalProperties: true },
    },
  } as Schema
  const Call = {
    type: 'object',
    required: ['id', 'status', 'to'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      status: { enum: ['ringing', 'busy'] },
      to: { type: 'string' },
      price: { type: ['number', 'null'] },
      legs: { type: 'array', items: { type: 'object', properties: { jitter: { type: 'integer' } } } },
      metadata: { type: 'object', patternProperties: { '^.*$': {} } },
    },
  } as Schema
  const CallEvent = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' }, hangupCause: { type: 'string' } },
  } as Schema
  const json = (name: string) => ({
    'application/json': { schema: { $ref: `#/components/schemas/${name}` } as Schema },
  })
  const place = {
    operationId: 'postCalls',
    summary: 'Places a call',
    tags: ['Calls'],
    'x-scopes': ['calls:place', 'calls:read'] as string[] | undefined,
    requestBody: { required: true, content: json('NewCall') },
    responses: {
      '200': { description: 'OK', content: json('Call') },
      '402': { description: '`INSUFFICIENT_CREDIT`' },
    },
  } as Operation
  const page = { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } as Schema }
  const list = {
    operationId: 'getCalls',
    summary: 'Lists calls',
    tags: ['Calls'],
    security: [],
    parameters: [page],
    responses: { '200': { description: 'OK', content: { ...json('Call'), 'text/csv': { schema: {} } } } },
  } as unknown as Operation
  const event = {
    operationId: 'onCall',
    summary: 'A call ended',
    tags: ['Webhooks'],
    parameters: [{ name: 'webhook-id', in: 'header', schema: { type: 'string' } }],
    requestBody: { required: true, content: json('CallEvent') },
    responses: {},
  } as Operation
  const document = {
    openapi: '3.1.0',
    security: [{ token: [] }],
    paths: { '/calls': { post: place, get: list } },
    webhooks: { 'channel-hangup': { post: event } },
    components: { schemas: { NewCall, Call, CallEvent }, responses: {}, parameters: {} },
  } as unknown as ApiDocument
  const sent = NewCall.properties as Record<string, Schema>
  const answered = Call.properties as Record<string, Schema>
  return { document, place, list, page, event, NewCall, Call, CallEvent, sent, answered }
}

type Api = ReturnType<typeof smallApi>

function changesAfter(change: (api: Api) => void): string[] {
  const api = smallApi()
  change(api)
  return findApiChanges(smallApi().document, api.document)
}

describe('D537: the comparison reports', () => {
  test.each<[string, (api: Api) => void, string]>([
    ['a removed operation', ({ document }) => delete document.paths['/calls']?.get, 'GET /calls is gone'],
    [
      'a renamed operation',
      ({ place }) => Object.assign(place, { operationId: 'placeCall' }),
      'POST /calls has lost the operationId postCalls',
    ],
    [
      'a token that must be sent',
      ({ list }) => Object.assign(list, { security: undefined }),
      'GET /calls now needs a token',
    ],
    [
      'a role that is required',
      ({ place }) => Object.assign(place, { security: [{ token: ['ADMIN'] }] }),
      'POST /calls is now for the role ADMIN only',
    ],
    [
      'a scope that is no longer enough',
      ({ place }) => Object.assign(place, { 'x-scopes': ['calls:place'] }),
      'POST /calls can no longer be sent with the scope calls:read',
    ],
    [
      'a scope where every token was enough',
      ({ document }) => {
        const { get } = document.paths['/calls'] ?? {}
        Object.assign(get ?? {}, { security: [{}, { token: [] }], 'x-scopes': ['calls:read'] })
      },
      'GET /calls now needs a scope of a limited token: calls:read',
    ],
    [
      'a removed parameter',
      ({ list }) => Object.assign(list, { parameters: [] }),
      'GET /calls: the parameter page is gone',
    ],
    [
      'a parameter that must be sent',
      ({ page }) => Object.assign(page, { required: true }),
      'GET /calls: the parameter page must now be sent',
    ],
    [
      'a new parameter that must be sent',
      ({ list, page }) => list.parameters?.push({ ...page, in: 'query', name: 'day', required: true }),
      'GET /calls: the parameter day is new and must be sent',
    ],
    [
      'a narrower parameter',
      ({ page }) => Object.assign(page.schema, { minimum: 2 }),
      'GET /calls: the parameter page takes less: minimum is 2 now',
    ],
    [
      'a body that is no longer taken',
      ({ place }) => delete place.requestBody,
      'POST /calls no longer takes a body',
    ],
    [
      'a new field that must be sent',
      ({ NewCall, sent }) => {
        sent.reason = { type: 'string' }
        NewCall.required = ['called', 'reason']
      },
      'NewCall.reason must now be sent',
    ],
    [
      'a field that must now be sent',
      ({ NewCall }) => NewCall.required?.push('mode'),
      'NewCall.mode must now be sent',
    ],
    ['a field that is no longer taken', ({ sent }) => delete sent.tries, 'NewCall.tries is no longer taken'],
    [
      'a value that is no longer taken',
      ({ sent }) => Object.assign(sent.mode ?? {}, { enum: ['fast'] }),
      'NewCall.mode has lost the value "slow"',
    ],
    [
      'a list of values where any text was taken',
      ({ sent }) => Object.assign(sent.called ?? {}, { enum: ['190'] }),
      'NewCall.called takes certain values only',
    ],
    [
      'a type that is no longer taken',
      ({ sent }) => Object.assign(sent.tries ?? {}, { type: 'string' }),
      'NewCall.tries no longer takes a value of the type integer',
    ],
    [
      'an alternative that is no longer taken',
      ({ sent }) => Object.assign(sent.id ?? {}, { anyOf: [{ type: 'integer' }, { type: 'null' }] }),
      'NewCall.id no longer takes string',
    ],
    [
      'a shorter text',
      ({ sent }) => Object.assign(sent.called ?? {}, { maxLength: 20 }),
      'NewCall.called takes less: maxLength is 20 now',
    ],
    [
      'another pattern',
      ({ sent }) => Object.assign(sent.called ?? {}, { pattern: '^55[0-9]+$' }),
      'NewCall.called takes less: pattern is ^55[0-9]+$ now',
    ],
    [
      'a list that takes nothing twice',
      ({ sent }) => Object.assign(sent.tags ?? {}, { uniqueItems: true }),
      'NewCall.tags takes less: uniqueItems is true now',
    ],
    [
      'an object that no longer takes fields of any name',
      ({ sent }) => Object.assign(sent.metadata ?? {}, { additionalProperties: false }),
      'NewCall.metadata no longer has fields of any name',
    ],
    ['a removed field of an answer', ({ answered }) => delete answered.price, 'Call.price is gone'],
    [
      'a field of an answer that may be absent',
      ({ Call }) => Object.assign(Call, { required: ['id', 'status'] }),
      'Call.to may now be absent',
    ],
    [
      'a field of an answer that may be null',
      ({ answered }) => Object.assign(answered.to ?? {}, { type: ['string', 'null'] }),
      'Call.to may now be a value of the type null',
    ],
    [
      'a fraction where a whole number was answered',
      ({ answered }) => Object.assign(answered.legs?.items?.properties?.jitter ?? {}, { type: 'number' }),
      'Call.legs[].jitter may now be a value of the type number',
    ],
    [
      'a renamed value of an answer',
      ({ answered }) => Object.assign(answered.status ?? {}, { enum: ['ringing', 'engaged'] }),
      'Call.status has lost the value "busy"',
    ],
    [
      'another format of an answer',
      ({ answered }) => Object.assign(answered.id ?? {}, { format: undefined }),
      'Call.id is no longer a uuid',
    ],
    [
      'another status of a success',
      ({ place }) => {
        place.responses['201'] = place.responses['200'] as never
        delete place.responses['200']
      },
      'POST /calls no longer answers 200',
    ],
    [
      'a kind of answer that is gone',
      ({ list }) => delete list.responses['200']?.content?.['text/csv'],
      'GET /calls no longer answers 200 with text/csv',
    ],
    [
      'an error code with another status',
      ({ place }) => {
        place.responses['409'] = place.responses['402'] as never
        delete place.responses['402']
      },
      'POST /calls answers INSUFFICIENT_CREDIT with 409, and did with 402',
    ],
    [
      'a removed webhook',
      ({ document }) => delete document.webhooks['channel-hangup'],
      'webhook channel-hangup is gone',
    ],
    [
      'a removed field of a webhook',
      ({ CallEvent }) => delete CallEvent.properties?.hangupCause,
      'CallEvent.hangupCause is gone',
    ],
    [
      'a removed header of a webhook',
      ({ event }) => Object.assign(event, { parameters: [] }),
      'webhook channel-hangup: the header webhook-id is gone',
    ],
    [
      'a keyword that it cannot compare',
      ({ answered }) => Object.assign(answered.to ?? {}, { not: { const: '' } }),
      'Call.to uses the keyword not, which the comparison does not know',
    ],
  ])('%s', (_what, change, sentence) => {
    expect(changesAfter(change)).toEqual([sentence])
  })

  test('a renamed record, whose name types of clients have', () => {
    const changes = changesAfter(({ document, Call }) => {
      delete document.components.schemas.Call
      document.components.schemas.CallRecord = Call
      for (const { post, get } of Object.values(document.paths)) {
        for (const { responses } of [post, get] as Operation[]) {
          const media = responses['200']?.content?.['application/json']
          if (media) media.schema = { $ref: '#/components/schemas/CallRecord' }
        }
      }
    })
    expect(changes).toEqual(['the record Call is gone, by which types of clients are named'])
  })
})

describe('D537: the comparison lets pass', () => {
  test.each<[string, (api: Api) => void]>([
    ['nothing changed', () => {}],
    ['a new operation', ({ document, list }) => Object.assign(document.paths, { '/charges': { get: list } })],
    ['a new webhook', ({ document, event }) => Object.assign(document.webhooks, { test: { post: event } })],
    [
      'a new optional parameter',
      ({ list, page }) => list.parameters?.push({ ...page, in: 'query', name: 'day' }),
    ],
    ['a new optional field of a body', ({ sent }) => Object.assign(sent, { note: { type: 'string' } })],
    ['a field that need not be sent any more', ({ NewCall }) => Object.assign(NewCall, { required: [] })],
    [
      'a body that need not be sent any more',
      ({ place }) => Object.assign(place.requestBody ?? {}, { required: false }),
    ],
    ['a longer text', ({ sent }) => Object.assign(sent.called ?? {}, { maxLength: 80, minLength: 0 })],
    ['no pattern any more', ({ sent }) => delete sent.called?.pattern],
    ['a wider range', ({ sent }) => Object.assign(sent.tries ?? {}, { minimum: 0, maximum: 9 })],
    [
      'a fraction where a whole number was taken',
      ({ sent }) => Object.assign(sent.tries ?? {}, { type: 'number' }),
    ],
    ['a new value of a body', ({ sent }) => sent.mode?.enum?.push('slower')],
    ['one more alternative of a body', ({ sent }) => sent.id?.anyOf?.push({ type: 'boolean' })],
    ['a new field of an answer', ({ answered }) => Object.assign(answered, { note: { type: 'string' } })],
    ['a new value of an answer', ({ answered }) => answered.status?.enum?.push('failed')],
    [
      'a field of an answer that is never null any more',
      ({ answered }) => Object.assign(answered.price ?? {}, { type: 'number' }),
    ],
    ['a field of an answer that is always there', ({ Call }) => Call.required?.push('price')],
    ['a longer text in an answer', ({ answered }) => Object.assign(answered.to ?? {}, { maxLength: 400 })],
    [
      'a new error',
      ({ place }) => Object.assign(place.responses, { '409': { description: '`CALL_ALREADY_RINGING`' } }),
    ],
    [
      'a code that is listed for every status, too',
      ({ place }) => Object.assign(place.responses, { default: { description: '`INSUFFICIENT_CREDIT`' } }),
    ],
    ['an error that is gone', ({ place }) => delete place.responses['402']],
    ['a deprecated operation', ({ place }) => Object.assign(place, { deprecated: true })],
    [
      'other words',
      ({ place, Call }) =>
        Object.assign(Call, { description: 'A call' }) && Object.assign(place, { summary: 'Calls' }),
    ],
    [
      'one more scope that is enough',
      ({ place }) => Object.assign(place, { 'x-scopes': ['calls:place', 'calls:read', 'admin'] }),
    ],
    ['a token that need not be sent any more', ({ place }) => Object.assign(place, { security: [] })],
  ])('%s', (_what, change) => {
    expect(changesAfter(change)).toEqual([])
  })
})

describe('D537: of settings, commands and migrations', () => {
  const settings: Settings = {
    PORT: { fallback: '3000', accepted: { min: 0, max: 65_535 } },
    LOG_LEVEL: { fallback: 'info', accepted: { choices: ['info', 'warn'] } },
    DATA_DIR: { fallback: './data' },
  }

  test.each<[string, Settings, string]>([
    ['a removed setting', { DATA_DIR: undefined as never }, 'the setting DATA_DIR is gone'],
    ['another default', { DATA_DIR: { fallback: '' } }, 'the default of DATA_DIR is empty, and was "./data"'],
    [
      'a value that is no longer taken',
      { LOG_LEVEL: { fallback: 'info', accepted: { choices: ['info'] } } },
      'LOG_LEVEL no longer takes warn',
    ],
    [
      'a smaller range',
      { PORT: { fallback: '3000', accepted: { min: 1, max: 65_535 } } },
      'PORT takes less: 1 to 65535',
    ],
    [
      'a list of values where any text was taken',
      { DATA_DIR: { fallback: './data', accepted: { choices: ['./data'] } } },
      'DATA_DIR takes certain values only',
    ],
  ])('%s is reported', (_what, change, sentence) => {
    expect(findSettingChanges(settings, { ...settings, ...change })).toEqual([sentence])
  })

  test('a new setting, a new value and a larger range pass', () => {
    const more: Settings = {
      PORT: { fallback: '3000', accepted: { min: 0, max: 99_999 } },
      LOG_LEVEL: { fallback: 'info', accepted: { choices: ['info', 'warn', 'debug'] } },
      DATA_DIR: { fallback: './data' },
      HOST: { fallback: '127.0.0.1' },
    }
    expect(findSettingChanges(settings, more)).toEqual([])
  })

  const usage =
    'Usage: ramal rates export > rates.csv\n       ramal rates import <rates.csv> [--apply] [--replace]\n'

  test('the help of a verb names its commands and options, however npm runs it', () => {
    const words = ['--apply', '--replace', 'rates export', 'rates import']
    expect(wordsOfHelp(usage)).toEqual(words)
    expect(wordsOfHelp(usage.replaceAll('ramal', 'npm run ramal --'))).toEqual(words)
  })

  test('a verb, a command or an option that is gone is reported; new ones pass', () => {
    const was = { rates: wordsOfHelp(usage), demo: [] }
    expect(findCommandChanges(was, { rates: ['--apply', 'rates import'] })).toEqual([
      'rates: --replace is gone from its help',
      'rates: rates export is gone from its help',
      'the verb demo is gone',
    ])
    expect(findCommandChanges(was, { ...was, rates: [...was.rates, '--dry'], nodes: [] })).toEqual([])
  })

  test('a migration that was changed, is gone, or ends downgrades is reported; one that only adds passes', () => {
    const was = { 'a.sql': { checksum: '1', breaking: true }, 'b.sql': { checksum: '2', breaking: false } }
    expect(findMigrationChanges(was, { ...was, 'c.sql': { checksum: '3', breaking: false } })).toEqual([])
    const is = { 'a.sql': { checksum: '9', breaking: true }, 'c.sql': { checksum: '3', breaking: true } }
    expect(findMigrationChanges(was, is)).toEqual([
      'the migration a.sql was changed',
      'the migration b.sql is gone',
      'the migration c.sql ends downgrades',
    ])
  })
})
