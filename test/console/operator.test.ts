/** What the operator console shows and changes (D321), by its routes and in Chromium. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { explainTrunk } from '../../console/operator/trunks/problem.ts'
import { operatorWords } from '../../console/operator/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { createFakeEngine } from '../../src/engine/fake.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { createLog } from '../../src/kit/process/log.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { insertAccount } from '../helpers/service/call-rows.ts'
import { createClient, fetchAsOperator } from '../helpers/service/client.ts'
import { openAccount } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium } from './console-browser.ts'

const silentTrunk = {
  name: 'main',
  channels: 30,
  callsPerSecond: 10,
  used: 2,
  begun: 2,
  problems: ['Trunk main does not answer OPTIONS'],
}
const log = createLog('warn', { destination: { write: () => {} } })

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService(
    { CONSOLE: 'on' },
    {
      clock: systemClock,
      log,
      engine: (host) => ({
        ...createFakeEngine(host, { now: () => new Date() }),
        trunks: () => [silentTrunk],
      }),
    },
  )
  await service.app.consoleBuild?.finished
  admin = await openAccount(service)
})
afterAll(() => service?.stop())

const operator = () =>
  createClient(`${service.url}/operator/api`, fetchAsOperator(service.app.operatorToken?.token ?? ''))

test('shows nodes with their trunks, queues and recent problems', async () => {
  log.warn({ err: new Error('no route to +5548999998888') }, 'a test of the log')
  const { nodes, queues, problems } = (await operator().get('/overview')).body
  expect(nodes).toEqual([
    expect.objectContaining({
      id: service.app.node.id,
      roles: ['api', 'worker', 'voice'],
      state: 'active',
      calls: 0,
      phones: 0,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      clockOffsetSeconds: expect.any(Number),
      trunks: [{ name: 'main', channels: 30, used: 2, problems: silentTrunk.problems }],
    }),
  ])
  expect(queues.map(({ name }: { name: string }) => name)).toEqual([
    'deliveries',
    'mails',
    'recordings',
    'payments',
  ])
  expect(problems[0]).toMatchObject({ kind: 'trunk', detail: 'Trunk main does not answer OPTIONS' })
  expect(problems.at(-1)).toMatchObject({
    kind: 'log',
    detail: 'a test of the log: no route to ***88',
  })
})

test('a queue shows how much waits, and since when', async () => {
  const at = new Date(Date.now() - 3_600_000)
  const later = new Date('2099-01-01T00:00:00Z')
  await service.db
    .insertInto('mails')
    .values({
      recipient: 'late@ramal.example',
      subject: 'Late',
      body: null,
      created_at: at,
      attempts: 1,
      next_at: later,
      last_error: 'refused',
    })
    .execute()
  const { queues } = (await operator().get('/overview')).body
  expect(queues).toContainEqual({ name: 'mails', waiting: 1, oldest: at.toISOString() })
})

test('drains a node, and has it take work again', async () => {
  const { id } = service.app.node
  const state = async () => (await operator().get('/overview')).body.nodes[0].state
  expect((await operator().post(`/nodes/${id}/drain`, { draining: true })).status).toBe(200)
  expect(await state()).toBe('draining')
  expect((await operator().post(`/nodes/${id}/drain`, { draining: false })).status).toBe(200)
  await expect.poll(state).toBe('active')
  expect((await operator().post('/nodes/nobody/drain', { draining: true })).status).toBe(404)
  expect((await operator().post(`/nodes/${id}/drain`, { draining: 'yes' })).status).toBe(422)
})

test('finds accounts page by page, with balance and limits', async () => {
  for (let index = 0; index < 30; index += 1) {
    const domain = `z${String(index).padStart(2, '0')}.listed.example`
    await insertAccount(service.db, { domain, name: 'Listed 100%', email: `z${index}@listed.example` })
  }
  const list = async (query: string) => (await operator().get(`/accounts?${query}`)).body
  const second = await list('search=LISTED&page=2')
  expect([second.total, second.page, second.rows.length]).toEqual([30, 2, 5])
  expect(second.rows[0].domain).toBe('z25.listed.example')
  expect((await list('search=0%25')).total).toBe(30)
  expect((await list('search=_.listed')).total).toBe(0)
  const { rows } = await list(`search=${admin.domain}`)
  expect(rows).toEqual([
    expect.objectContaining({
      domain: admin.domain,
      balance: expect.any(Number),
      reserved: 0,
      limits: expect.objectContaining({ proof: null, ranges: [] }),
    }),
  ])
})

test('changes limits as `account limits` does, recorded in the audit log of the account', async () => {
  const path = `/accounts/${admin.domain}/limits`
  const change = { callsPerDay: 77, spendingPerDay: 12.5, international: true, proven: true, allow: ['4470'] }
  const changed = await operator().patch(path, change)
  expect(changed.status).toBe(200)
  expect(changed.body.limits).toMatchObject({
    proof: 'operator',
    callsPerDay: { value: 77, source: 'account' },
    spendingPerDay: { value: 12.5, source: 'account' },
    international: { value: true, source: 'account' },
    ranges: ['4470'],
  })
  expect((await service.api.get('/accounts/limits', admin)).body.callsPerDay.limit).toBe(77)
  const { data } = (await service.api.get('/accounts/audit?page=1', admin)).body
  expect(data[0]).toMatchObject({ action: 'account.limits-changed', actor: null, details: change })
  const back = await operator().patch(path, { callsPerDay: null, bar: ['4470'] })
  expect(back.body.limits).toMatchObject({ callsPerDay: { source: 'default' }, ranges: [] })
})

test.each([
  [{ callsPerDay: -1 }, 'callsPerDay'],
  [{ callsPerDay: 'many' }, 'callsPerDay'],
  [{ spendingPerDay: 1.234 }, 'spendingPerDay'],
  [{ allow: ['1'] }, 'allow'],
])('refuses the limits %j by field', async (change, field) => {
  const { status, body } = await operator().patch(`/accounts/${admin.domain}/limits`, change)
  expect([status, Object.keys(body.error.details.codes)]).toEqual([422, [field]])
})

test('an account that does not exist has no limits', async () => {
  expect((await operator().get('/accounts/nobody.example/limits')).status).toBe(404)
  expect((await operator().get('/accounts/nobody.example')).status).toBe(404)
})

test('assigns and releases numbers as `number assign` does', async () => {
  const assign = (number: string, domain: string) => operator().post('/numbers', { number, domain })
  expect((await assign('(48) 3222-1100', admin.domain)).body.number).toBe('554832221100')
  const listed = (await operator().get('/numbers?search=3222-1100')).body
  expect(listed.rows).toEqual([
    { number: '554832221100', domain: admin.domain, proof: 'operator', verifiedAt: expect.any(String) },
  ])
  const taken = await assign('4832221100', 'z00.listed.example')
  expect([taken.status, taken.body.error.message]).toEqual([
    409,
    `+554832221100 belongs to ${admin.domain}. Release it first.`,
  ])
  expect((await assign('12', admin.domain)).body.error.details.codes).toHaveProperty('number')
  expect((await assign('4832221101', 'nobody.example')).body.error.details.codes).toHaveProperty('domain')
  expect((await operator().delete('/numbers/554832221100')).body.domain).toBe(admin.domain)
  expect((await operator().delete('/numbers/554832221100')).status).toBe(404)
})

test('shows the rates that may hold for a number', async () => {
  const all = (await operator().get('/rates')).body
  expect(all.total).toBeGreaterThan(0)
  const { rows } = (await operator().get('/rates?search=5548999')).body
  expect(rows.length).toBeGreaterThan(0)
  for (const { prefix } of rows)
    expect('5548999'.startsWith(prefix) || prefix.startsWith('5548999')).toBe(true)
})

describe.skipIf(programMissing('chromium'))('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  test.each([
    { language: 'pt', locale: 'pt-BR', width: 1280, theme: 'light', number: '48 3222-2200' },
    { language: 'en', locale: 'en-GB', width: 360, theme: 'dark', number: '48 3222-3300' },
  ] as const)('the operator looks and changes ($language, $width px, $theme)', async (story) => {
    const { language, locale, width, theme, number } = story
    const words = operatorWords[language]
    const common = commonWords[language]
    const { context, page, errors } = await openConsole(browser, service.url, {
      locale,
      colorScheme: theme,
      width,
    })
    onTestFinished(() => context.close())
    const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
    const open = async (path: string, title: string) => {
      await page.goto(`/operator${path}`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    }
    await open(`?token=${service.app.operatorToken?.token}`, words.overview)
    expect(page.url()).not.toContain('token=')
    await page.getByText(`main ${explainTrunk('Trunk main does not answer OPTIONS', language)}`).waitFor()
    await expectAccessible(page, 'overview')

    await open('/accounts', words.accounts)
    await page.getByLabel(words.searchAccounts).fill(admin.domain)
    await page.getByRole('row').nth(1).getByText(admin.domain).waitFor()
    await press(`${words.limits} ${admin.domain}`)
    await page.getByLabel(words.callsAtOnce).fill('9')
    await expectAccessible(page, 'limits')
    await press(common.save)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const limits = async () => (await operator().get(`/accounts/${admin.domain}/limits`)).body.limits
    expect((await limits()).callsAtOnce.value.account).toBe(9)
    await expectAccessible(page, 'accounts')

    await open('/numbers', words.numbers)
    await press(words.assign)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(words.number).fill(number)
    await dialog.getByLabel(words.domain).fill('nobody.example')
    await dialog.getByRole('button', { name: words.assign }).click()
    await dialog.locator('[aria-invalid=true]').waitFor()
    await expectAccessible(page, 'assignment')
    await dialog.getByLabel(words.domain).fill(admin.domain)
    await dialog.getByRole('button', { name: words.assign }).click()
    await page.getByRole('row').getByText(words.proofs.operator).first().waitFor()
    await expectAccessible(page, 'numbers')

    await open('/rates', words.rates)
    await page.getByRole('row').nth(1).waitFor()
    await expectAccessible(page, 'rates')
    expect(errors).toEqual([])
  })
})
