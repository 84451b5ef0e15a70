/** Charges, the audit log, deliveries and events as a file (D301); calls and the statement are beside the calls. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../helpers/programs/receiver.ts'
import { announce, callOf, deliverAll } from '../../helpers/service/announcements.ts'
import { accountIdOf } from '../../helpers/service/call-rows.ts'
import { filter } from '../../helpers/service/client.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { insertAudit } from '../../helpers/stored/audit-rows.ts'
import { insertCharges } from '../../helpers/stored/money-rows.ts'

/** More than are read at a time. */
const count = 600
const metadata = '{"order":12345678901234567890,"note":"=1+1"}'

let service: Service
let receiver: Receiver
let ana: Awaited<ReturnType<typeof openAccount>>
let integrationId: number

beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  receiver = await startReceiver()
  ana = await openAccount(service)
  const accountId = await accountIdOf(service.db, ana.domain)
  const webhook = { webhookUrl: receiver.url, webhookTypes: ['channel-answer', 'channel-hangup'] }
  const integration = { gateway: 'crm', webhook: true, metadata: webhook }
  const { status, body } = await service.api.patch('/integrations', integration, ana)
  expect([status, body]).toEqual([200, expect.objectContaining({ gateway: 'crm' })])
  integrationId = body.id
  const { userId } = await callOf(service, ana.email)
  const at = service.clock.now()
  await insertCharges(service.db, { accountId, userId }, count, at, metadata)
  await insertAudit(service.db, accountId, count, at)
  const call = { ...(await callOf(service, ana.email)), metadata }
  for (let n = 0; n < count / 2; n += 1) {
    const { callId } = await callOf(service, ana.email)
    await announce(service, { ...call, callId }, 'channel-answer', 'channel-hangup')
  }
  await deliverAll(service)
})
afterAll(async () => {
  await receiver.stop()
  await service.stop()
})

const paths: [name: string, path: () => string, columns: RegExp][] = [
  ['charges', () => '/charges', /^id,userId,organizationId,gateway,/],
  ['audit', () => '/accounts/audit', /^id,at,action,actor,subject,details$/],
  ['deliveries', () => `/integrations/${integrationId}/deliveries`, /^id,event,callId,subject,/],
  ['events', () => '/events', /^cursor,eventType,id,sequence,payload$/],
]

type Row = Record<string, unknown>

/** All rows of a list, as a client reads them page after page. */
async function readPages(path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let next = path === '/events' ? 'limit=100' : 'page=1'; ; ) {
    const { body } = await service.api.get(`${path}?${next}`, ana)
    rows.push(...body.data)
    if (path === '/events' ? !body.more : !body.meta.nextCursor) return rows
    next = path === '/events' ? `limit=100&after=${body.cursor}` : `cursor=${body.meta.nextCursor}`
  }
}

const parsed = (text: string): Row[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe.each(paths)('%s', (name, path, columns) => {
  test('as NDJSON are the records of all pages, in the same order', async () => {
    const { headers, body } = await service.api.get(`${path()}?format=ndjson`, ana)
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const rows = parsed(body)
    expect(rows.length).toBeGreaterThanOrEqual(count)
    expect(rows).toEqual(await readPages(path()))
  })

  test('as CSV have a line for each, and nothing that a spreadsheet would run', async () => {
    const { headers, body } = await service.api.get(path(), { ...ana, headers: { accept: 'text/csv' } })
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}.csv"`)
    const [first, ...lines] = body.split('\r\n').slice(0, -1)
    expect(first).toMatch(columns)
    expect(lines).toHaveLength((await readPages(path())).length)
    expect(lines.filter((line: string) => /(^|,)"?=/.test(line))).toEqual([])
  })

  test('of another account are not in the file', async () => {
    const other = await openAccount(service)
    const { status, body } = await service.api.get(`${path()}?format=ndjson`, other)
    if (name === 'deliveries') expect(status).toBe(404)
    else expect(body).not.toContain(ana.domain)
    expect(body).not.toContain('pay_1')
  })

  test('in another format are refused', async () => {
    expect((await service.api.get(`${path()}?format=xls`, ana)).status).toBe(400)
  })
})

test('metadata keeps every digit in each file', async () => {
  for (const [path, format] of [
    ['/charges', 'ndjson'],
    ['/charges', 'csv'],
    ['/events', 'ndjson'],
    ['/events', 'csv'],
  ]) {
    const { body } = await service.api.get(`${path}?format=${format}`, ana)
    expect(body, `${path} ${format}`).toContain('12345678901234567890')
  }
})

test('a filter chooses rows and fields of the file', async () => {
  const query = filter({ where: { paymentId: 'pay_7' }, fields: ['paymentId', 'amount'] })
  const { body } = await service.api.get(`/charges?format=csv&${query}`, ana)
  expect(body).toBe('paymentId,amount\r\npay_7,10.07\r\n')
})

test('a file of events begins where after or since say, and a USER gets those of their own calls', async () => {
  const all = parsed((await service.api.get('/events?format=ndjson', ana)).body)
  const { cursor } = all[99] ?? {}
  const rest = parsed((await service.api.get(`/events?format=ndjson&after=${cursor}`, ana)).body)
  expect(rest).toEqual(all.slice(100))
  const bia = await addUser(service, ana)
  const { callId, ...hers } = await callOf(service, bia.email)
  await announce(service, { ...hers, callId }, 'channel-hangup')
  const own = parsed((await service.api.get('/events?format=ndjson', bia)).body)
  expect(own.map(({ id }) => id)).toEqual([callId])
})
