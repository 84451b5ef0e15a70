/** Metadata of a call goes from the request to every answer and event as it was sent (D12). */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basePath } from '../../../src/http/entry.ts'
import { type Receiver, startReceiver } from '../../helpers/programs/receiver.ts'
import { deliverAll } from '../../helpers/service/announcements.ts'
import type { Service } from '../../helpers/service/service.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let service: VoiceService
let office: Office
let receiver: Receiver

beforeAll(async () => {
  service = await startVoiceService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  office = await openOffice(service)
  await office.addExtension('1001')
  receiver = await startReceiver()
  await listen({})
  service.engine.behave(() => ['rings'])
})
afterAll(async () => {
  await receiver.stop()
  await service.stop()
})

/** The answer's text: parsing it would round its numbers. */
async function fetchText(path: string): Promise<string> {
  const response = await fetch(`${service.url}${basePath}${path}`, {
    headers: { authorization: office.token },
  })
  return await response.text()
}

async function listen(constraint: object | string) {
  const metadata = { webhookUrl: receiver.url, webhookTypes: ['channel-hangup'] }
  const text = typeof constraint === 'string' ? constraint : JSON.stringify(constraint)
  const gateway = `crm-${crypto.randomUUID()}`
  const body = `${JSON.stringify({ gateway, webhook: true, metadata }).slice(0, -1)},"webhookConstraint":${text}}`
  const answer = await service.api.patch('/integrations', body, office)
  expect(answer.status).toBe(200)
  return answer.body.id as number
}

/** D149: earlier calls of these tests still ring. */
const again = { 'x-allow-duplicate': 'true' }

async function call(metadata: string): Promise<string> {
  const text = `{"extension":"1000", "called":"1001", "metadata": ${metadata}}`
  const { status, body } = await service.api.post('/calls', text, { ...office, headers: again })
  expect(status, `${JSON.stringify(body)} ${metadata}`).toBe(200)
  return body.id
}

async function hangUp(id: string) {
  await service.api.post(`/calls/${id}/hangup`, undefined, office)
  await deliverAll(service as unknown as Service)
}

const digits = (max: number) => fc.stringMatching(new RegExp(`^[1-9][0-9]{0,${max}}$`))
const numberText = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1.0',
    '-0.0',
    '1e400',
    '1E+308',
    '5e-324',
    '1e-9999',
    '9007199254740993',
    '0e5',
  ),
  fc.tuple(fc.constantFrom('', '-'), digits(40)).map((parts) => parts.join('')),
  fc.tuple(digits(20), fc.stringMatching(/^[0-9]{1,25}$/)).map((parts) => parts.join('.')),
  fc.tuple(digits(5), fc.constantFrom('e', 'E', 'e+', 'e-'), digits(2)).map((parts) => parts.join('')),
)
const wellFormed = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter((text) => text.isWellFormed() && !text.includes('\0'))
const scalarText = fc.oneof(
  { weight: 4, arbitrary: numberText },
  { weight: 3, arbitrary: wellFormed.map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.constantFrom('true', 'false', 'null', '"\\u00e9\\/"') },
)
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'lead_id', 'x.y', '10', '2', 'ação') },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', '', '😀') },
)
const valueText = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalarText,
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
  ),
  object: fc
    .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 4, selector: ([name]) => name })
    .map(writeObject),
}))

function writeObject(members: (readonly [string, string])[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
}

/** A scalar at a path, beside anything else. */
const sample = fc.record({
  path: fc.array(
    key.filter((name) => name !== ''),
    { minLength: 1, maxLength: 3 },
  ),
  scalar: scalarText.filter((text) => text !== 'null'),
  rest: valueText.value,
})

test('any JSON arrives to the digit in the list, by id, in the webhook and the feed, and is found by value', async () => {
  await fc.assert(
    fc.asyncProperty(sample, async ({ path, scalar, rest }) => {
      const searched = path.reduceRight((inner, name) => writeObject([[name, inner]]), scalar)
      const metadata = `${searched.slice(0, -1)},"rest of it":${rest}}`
      const id = await call(metadata)
      await hangUp(id)
      const expected = `"metadata":${metadata}`
      const where = `{"where":{"id":"${id}","metadata":${searched}}}`
      expect(await fetchText(`/calls?filter=${encodeURIComponent(where)}`)).toContain(expected)
      expect(await fetchText(`/calls/${id}`)).toContain(expected)
      expect(await fetchText('/events?limit=1000')).toContain(expected)
      expect(receiver.received.find(({ body }) => body.id === id)?.text).toContain(expected)
    }),
    { numRuns: 30, endOnFailure: true },
  )
}, 300_000)

test('whitespace between tokens is left out, a repeated key is not', async () => {
  const id = await call('{ "b" : [ 1 , 2 ] ,\n "a" : "x  y", "a": 1.50 }')
  expect(await fetchText(`/calls/${id}`)).toContain('"metadata":{"b":[1,2],"a":"x  y","a":1.50}')
})

test('metadata that fields leave out, or show alone', async () => {
  const id = await call('{"n":1.0}')
  const list = async (fields: string[]) =>
    await fetchText(`/calls?filter=${encodeURIComponent(JSON.stringify({ where: { id }, fields }))}`)
  expect(await list(['metadata'])).toContain('"data":[{"metadata":{"n":1.0}}]')
  expect(await list(['from'])).toContain('"data":[{"from":"1000"}]')
})

test('large numbers in a filter are compared to the digit', async () => {
  const id = await call('{"big":9007199254740993,"ratio":1.0}')
  const found = async (value: string) => {
    const where = `{"where":{"id":"${id}","metadata.${value}}}`
    return (await service.api.get(`/calls?filter=${encodeURIComponent(where)}`, office)).body.data.length
  }
  expect(await found('big":9007199254740993')).toBe(1)
  expect(await found('big":"9007199254740993"')).toBe(1)
  expect(await found('big":9007199254740992')).toBe(0)
  expect(await found('big":{"gt":9007199254740992}')).toBe(1)
  expect(await found('big":{"gt":9007199254740993}')).toBe(0)
  expect(await found('ratio":1')).toBe(1)
})

test('a constraint compares numbers by value, to the last digit (D82)', async () => {
  const matching = await listen('{"big":9007199254740993,"ratio":1,"text":"1"}')
  const other = await listen('{"big":9007199254740992}')
  await hangUp(await call('{"big":9007199254740993,"ratio":1.0,"text":1.00}'))
  const stateOf = async (id: number) =>
    (await service.api.get(`/integrations/${id}/deliveries?page=1`, office)).body.data[0]?.status
  expect([await stateOf(matching), await stateOf(other)]).toEqual(['delivered', 'skipped'])
  expect(await fetchText('/integrations')).toContain('"webhookConstraint":{"big":9007199254740993,')
})

test('with one Idempotency-Key, bodies that differ in the last digit are two', async () => {
  const headers = { 'idempotency-key': 'big', ...again }
  const send = (number: string) =>
    service.api.post('/calls', `{"extension":"1000","called":"1001","metadata":{"n":${number}}}`, {
      ...office,
      headers,
    })
  expect((await send('9007199254740993')).status).toBe(200)
  expect((await send('9007199254740993')).headers.get('idempotent-replayed')).toBe('true')
  expect((await send('9007199254740992')).status).toBe(422)
})
