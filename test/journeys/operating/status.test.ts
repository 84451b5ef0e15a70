/** The status page for customers (D625, D626): a service that works, one that does not, and what the operator wrote. */
import { hostname } from 'node:os'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createFakeNetwork } from '../../../src/engine/fake/network.ts'
import { createFakeEngine } from '../../../src/engine/fake.ts'
import type { ApiDocument } from '../../../src/http/reference/document.ts'
import { createNodes } from '../../../src/nodes/nodes.ts'
import { RecordingsUnavailable } from '../../../src/recordings/storage/port.ts'
import { faultsOf } from '../../helpers/description/api-description.ts'
import { days } from '../../helpers/run/test-clock.ts'
import { hideDatabase } from '../../helpers/run/test-database.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { createClient, fetchAsOperator } from '../../helpers/service/client.ts'
import { startFleet } from '../../helpers/service/fleet.ts'
import { pix, startMoneyService } from '../../helpers/service/money.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { storeRecording } from '../../helpers/service/recordings.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { addNode } from '../../helpers/stored/fleet-rows.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ CONSOLE: 'on' })
})
afterAll(() => service?.stop())

type Component = { name: string; state: string }
type Asked = Pick<Service, 'api' | 'clock'>

/** As any visitor reads it, once the answer of before is too old. */
async function read({ api, clock }: Asked = service, language = 'en') {
  clock.advance(5)
  const { status, body } = await api.get('/status', { headers: { 'accept-language': language } })
  expect(status).toBe(200)
  return body
}
/** Components that do not work as they should. */
async function troubled(asked: Asked = service): Promise<Record<string, string>> {
  const { components } = await read(asked)
  const bad = (components as Component[]).filter(({ state }) => state !== 'operational')
  return Object.fromEntries(bad.map(({ name, state }) => [name, state]))
}
const pageOf = async ({ url }: Pick<Service, 'url'>, lang = 'pt') =>
  await (await fetch(`${url}/status?lang=${lang}`)).text()
const operatorOf = ({ url, app }: Pick<Service, 'url' | 'app'>) =>
  createClient(`${url}/operator/api`, fetchAsOperator(app.operatorToken?.token ?? ''))
const operator = () => operatorOf(service)
const everything = ['api', 'calls', 'carriers', 'recordings', 'webhooks', 'payments']
const allOut = Object.fromEntries(everything.map((name) => [name, 'outage']))

test('a service that works says so to everybody, and names no machine, process or version', async () => {
  const body = await read()
  expect(body).toEqual({
    state: 'operational',
    checkedAt: service.clock.now().toISOString(),
    components: everything.map((name) => ({ name, state: 'operational' })),
    incidents: [],
    maintenance: [],
    history: [],
  })
  const page = await fetch(`${service.url}/status`, { headers: { 'accept-language': 'en' } })
  const html = await page.text()
  expect([page.status, page.headers.get('content-language')]).toEqual([200, 'en'])
  expect(html).toContain('<h1>Everything works</h1>')
  expect(await pageOf(service)).toContain('<h1>Tudo funciona</h1>')
  for (const secret of [hostname(), service.app.node.id, service.app.node.version]) {
    expect(JSON.stringify(body) + html).not.toContain(secret)
  }
})

test('without the database everything is out, and what the operator wrote before is still shown', async () => {
  const own = await startService({ CONSOLE: 'on' })
  onTestFinished(() => own.stop())
  await operatorOf(own).post('/incidents', incident)
  const before = await read(own, 'pt')
  expect(before.incidents).toHaveLength(1)
  const { show } = await hideDatabase(own.database.url)
  const away = await read(own, 'pt')
  expect(away).toMatchObject({ state: 'outage', incidents: before.incidents, writtenAt: before.checkedAt })
  expect(await troubled(own)).toEqual(allOut)
  const page = await pageOf(own)
  expect(page).toContain('<h1>Parte do serviço está fora do ar</h1>')
  expect(page).toContain('O banco de dados do serviço não responde.')
  expect(page).toContain(incident.text)
  await show()
  await expect.poll(() => troubled(own)).toEqual({ carriers: 'outage' })
  expect(await read(own)).not.toHaveProperty('writtenAt')
})

test('a database that was never read leaves the page without incidents, and it says why', async () => {
  const own = await startService()
  onTestFinished(() => own.stop())
  const { show } = await hideDatabase(own.database.url)
  expect(await read(own)).toMatchObject({ state: 'outage', incidents: [], history: [] })
  expect(await pageOf(own, 'en')).toContain('Incidents and maintenance cannot be read now.')
  await show()
})

test('outside calls are degraded with one trunk of two, out without any, and fine again', async () => {
  const network = createFakeNetwork()
  const trunks = ['main', 'spare'].map((name) => ({ name, address: 'sip:192.0.2.1' }))
  const own = await startService(
    { TRUNKS: JSON.stringify(trunks) },
    { engine: (host) => createFakeEngine(host, { network, sharesTrunks: true }) },
  )
  onTestFinished(() => own.stop())
  const fail = async (...failing: string[]) => {
    for (const trunk of network.trunks) trunk.failing = failing.includes(trunk.name)
    await own.app.lease.renew()
    return await troubled(own)
  }
  expect(await fail()).toEqual({})
  expect(await fail('main')).toEqual({ carriers: 'degraded' })
  expect(await fail('main', 'spare')).toEqual({ carriers: 'outage' })
  expect(await pageOf(own)).toContain('Fora do ar')
  expect(await fail()).toEqual({})
})

test('a process that serves the API alone speaks for all voice nodes', async () => {
  const fleet = await startFleet({})
  onTestFinished(() => fleet.stop())
  const seen = () => troubled({ api: fleet.first.api, clock: fleet.whole.clock } as Asked)
  const nodes = createNodes(fleet.whole)
  expect(await seen()).toEqual({})
  await nodes.drain(fleet.node.app.node.id, true)
  expect(await seen()).toEqual({})
  await nodes.drain(fleet.whole.app.node.id, true)
  expect(await seen()).toEqual({ calls: 'outage', carriers: 'outage' })
  await nodes.drain(fleet.node.app.node.id, false)
  await fleet.node.app.lease.renew()
  expect(await seen()).toEqual({})
  const killed = { leaseSeconds: 0, state: 'active', takesCalls: true, startedAt: new Date(0) } as const
  await addNode(fleet.whole.db, 'killed', killed)
  expect(await seen()).toEqual({ calls: 'degraded', carriers: 'degraded' })
})

test('a store that takes no recordings is an outage of recordings, reported by the node that failed', async () => {
  let isAway = true
  const fail = async () => {
    if (isAway) throw new RecordingsUnavailable('away')
  }
  const own = await startService(
    {},
    {
      recordings: {
        put: fail,
        open: async () => undefined,
        remove: async () => {},
        removeBefore: async () => {},
      },
    },
  )
  onTestFinished(() => own.stop())
  const { domain } = await openAccount(own)
  const rows = [1, 2, 3, 4].map(() => ({ recording: 'spooled' as const }))
  const [first = '', ...others] = await insertCalls(own.db, await accountIdOf(own.db, domain), rows)
  const store = (id: string) => storeRecording(own, id, Buffer.alloc(100), 1)
  for (const id of others) await store(id)
  await own.app.lease.renew()
  expect(await troubled(own)).toEqual({ recordings: 'outage' })
  isAway = false
  await store(first)
  await own.app.lease.renew()
  expect(await troubled(own)).toEqual({})
})

test('a gateway that cannot be reached is an outage of payments; one that refuses an order is not', async () => {
  const own = await startMoneyService()
  onTestFinished(() => own.stop())
  const orders = async (trouble: 'refused' | 'unavailable') => {
    own.gateway.failWith(trouble)
    for (let times = 0; times < 3; times += 1) {
      await own.api.post('/charges', pix, await openAccount(own))
    }
    await own.app.lease.renew()
    return await troubled(own)
  }
  expect(await orders('refused')).toEqual({})
  expect(await orders('unavailable')).toEqual({ payments: 'outage' })
  own.gateway.failWith(undefined)
  expect((await own.api.post('/charges', pix, await openAccount(own))).status).toBe(200)
  await own.app.lease.renew()
  expect(await troubled(own)).toEqual({})
})

test('a worker that cannot claim deliveries is an outage of webhooks', async () => {
  const own = await startService()
  onTestFinished(() => own.stop())
  const rename = (from: string, to: string) => own.db.schema.alterTable(from).renameTo(to).execute()
  await rename('deliveries', 'moved')
  for (let times = 0; times < 3; times += 1) await own.tick('webhook deliveries').catch(() => {})
  await own.app.lease.renew()
  expect(await troubled(own)).toEqual({ webhooks: 'outage' })
  await rename('moved', 'deliveries')
  await own.tick('webhook deliveries')
  await own.app.lease.renew()
  expect(await troubled(own)).toEqual({})
})

const incident = {
  kind: 'incident',
  title: 'Chamadas para celulares falham <b>',
  titleEn: 'Calls to mobile numbers fail',
  text: 'Estamos investigando.',
  components: ['carriers'],
  impact: 'outage',
  state: 'investigating',
}

test('an incident, from its opening to its end: customers read each step in their language, for 90 days', async () => {
  const opened = await operator().post('/incidents', incident)
  expect([opened.status, opened.body]).toMatchObject([200, { kind: 'incident', state: 'investigating' }])
  const { id } = opened.body
  // At once at this process.
  const { body: shown } = await service.api.get('/status')
  expect(shown).toMatchObject({
    state: 'outage',
    incidents: [{ id, title: incident.titleEn, impact: 'outage' }],
  })
  expect((await read(service, 'pt')).incidents[0]).toMatchObject({
    title: incident.title,
    updates: [{ state: 'investigating', text: incident.text }],
  })
  // Not written in English: it is shown in Portuguese.
  expect((await read(service, 'en')).incidents[0].updates[0].text).toBe(incident.text)
  expect(await pageOf(service)).toContain('Chamadas para celulares falham &#60;b&#62;')

  const update = (body: object) => operator().post(`/incidents/${id}/updates`, body)
  service.clock.advance(600)
  const found = {
    state: 'identified',
    text: 'Achamos a causa.',
    textEn: 'We found the cause.',
    impact: 'degraded',
  }
  expect((await update(found)).body).toMatchObject({ state: 'identified', impact: 'degraded' })
  expect(await troubled()).toEqual({ carriers: 'degraded' })
  service.clock.advance(600)
  const closedAt = service.clock.now().toISOString()
  expect((await update({ state: 'resolved', text: 'Resolvido.' })).body.closedAt).toBe(closedAt)
  const after = await read()
  expect([after.state, after.incidents]).toEqual(['operational', []])
  expect(after.history[0]).toMatchObject({ id, state: 'resolved', closedAt })
  expect(after.history[0].updates.map(({ text }: { text: string }) => text)).toEqual([
    'Resolvido.',
    'We found the cause.',
    'Estamos investigando.',
  ])
  const again = await update({ state: 'investigating', text: 'De novo.' })
  expect([again.status, again.body.error.details.codes]).toEqual([422, { state: ['exclusion'] }])

  const { rows } = (await operator().get('/log')).body
  expect(rows.slice(0, 3)).toMatchObject([
    { action: 'incident.closed', subject: String(id), details: { state: 'resolved' } },
    { action: 'incident.updated', details: { state: 'identified', impact: 'degraded' } },
    { action: 'incident.opened', details: { title: incident.title, components: 'carriers' } },
  ])
  service.clock.advance(90 * days)
  expect((await read()).history).toEqual([])
})

test('maintenance is announced, in progress and done', async () => {
  const startsAt = '2027-03-01T03:00:00.000Z'
  const planned = {
    kind: 'maintenance',
    title: 'Troca de servidores',
    text: 'Haverá interrupções curtas.',
    components: ['api', 'calls'],
    state: 'planned',
    startsAt,
    endsAt: '2027-03-01T05:00:00.000Z',
  }
  const { body } = await operator().post('/incidents', planned)
  const update = (state: string) =>
    operator().post(`/incidents/${body.id}/updates`, { state, text: `Agora ${state}.` })
  expect(await troubled()).toEqual({})
  expect((await read()).maintenance).toMatchObject([{ id: body.id, state: 'planned', startsAt }])
  expect(await pageOf(service, 'en')).toMatch(/From .*1 Mar 2027.* to /)
  await update('in-progress')
  expect(await troubled()).toEqual({ api: 'maintenance', calls: 'maintenance' })
  await update('done')
  const { maintenance, history } = await read()
  expect([maintenance, history[0].id]).toEqual([[], body.id])
})

test.each([
  [{ components: [] }, 'components'],
  [{ components: ['coffee'] }, 'components.0'],
  [{ title: ' ' }, 'title'],
  [{ text: '' }, 'text'],
  [{ state: 'planned' }, 'state'],
  [{ kind: 'maintenance', state: 'planned' }, 'startsAt'],
  [{ kind: 'maintenance', state: 'planned', startsAt: '2026-02-30T03:00:00Z' }, 'startsAt'],
  [{ kind: 'maintenance', state: 'planned', startsAt: 'tomorrow' }, 'startsAt'],
])('%j is refused with what is wrong', async (more, field) => {
  const { status, body } = await operator().post('/incidents', { ...incident, ...more })
  expect([status, Object.keys(body.error.details.codes)]).toEqual([422, [field]])
})

test('incidents are written by the operator alone, and one that does not exist is 404', async () => {
  const change = { state: 'resolved', text: 'Resolvido.' }
  for (const id of ['999', 'x', '0']) {
    expect((await operator().post(`/incidents/${id}/updates`, change)).status).toBe(404)
  }
  const who = await openAccount(service)
  const outside = createClient(`${service.url}/operator/api`)
  expect((await outside.post('/incidents', incident, who)).status).toBe(401)
  expect((await outside.get('/status')).status).toBe(401)
})

test("every answer of the operator's routes is as described (D618)", async () => {
  const description = (await operator().get('/openapi.json')).body as ApiDocument
  const opened = await operator().post('/incidents', incident)
  const change = { state: 'resolved', text: 'Resolvido.' }
  const answers = [
    ['OperatorIncident', opened.body],
    ['OperatorStatus', (await operator().get('/status')).body],
    ['OperatorIncident', (await operator().post(`/incidents/${opened.body.id}/updates`, change)).body],
  ] as const
  for (const [name, answer] of answers) {
    const faults = faultsOf(description, { $ref: `#/components/schemas/${name}` }, answer)
    expect([name, faults]).toEqual([name, []])
  }
})

test('many who ask at once cost one reading in five seconds, and one address is limited', async () => {
  const own = await startService({ RATE_LIMITS: 'on' })
  onTestFinished(() => own.stop())
  const answers = await Promise.all(Array.from({ length: 60 }, () => own.api.get('/status')))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.checkedAt}`)).size).toBe(1)
  expect((await own.api.get('/status')).status).toBe(429)
  const pages = await Promise.all(Array.from({ length: 61 }, () => fetch(`${own.url}/status`)))
  expect(pages.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(1)
})
