/** One account on one page of the operator console, and what is done with it there (D616, D618). */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { accountWords } from '../../console/operator/account/words.ts'
import { operatorWords } from '../../console/operator/words.ts'
import type { ApiDocument } from '../../src/http/reference/document.ts'
import { exampleOfBody, faultsOf } from '../helpers/description/api-description.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { createClient, fetchAsOperator } from '../helpers/service/client.ts'
import { pix } from '../helpers/service/money.ts'
import { mailsTo } from '../helpers/service/people.ts'
import type { Service } from '../helpers/service/service.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../helpers/service/voice.ts'
import { expectAccessible, openConsole, startChromium } from './console-browser.ts'

const run = promisify(execFile)

let service: VoiceService
let office: Office

beforeAll(async () => {
  service = await startVoiceService({ CONSOLE: 'on' })
  await service.app.consoleBuild?.finished
  office = await openOffice(service)
})
afterAll(() => service?.stop())

const operator = () =>
  createClient(`${service.url}/operator/api`, fetchAsOperator(service.app.operatorToken?.token ?? ''))
const pageOf = async ({ domain }: Office) => (await operator().get(`/accounts/${domain}`)).body
const describedBy = async () => (await operator().get('/openapi.json')).body as ApiDocument

/** Hangs up what rows ask for. */
const hangUp = () => service.tick('calls and hang-ups of other processes')

test('shows people, tokens, phones, calls, money, limits and the audit log of one account', async () => {
  const isRegistered = async () => (await service.api.get('/extensions', office)).body[0].registered
  await expect.poll(isRegistered).toBe(true)
  const call = { extension: '1000', called: '5548999998888' }
  const { id } = (await service.api.post('/calls', call, office)).body
  expect((await service.api.post('/charges', pix, office)).status).toBeLessThan(300)
  const page = await pageOf(office)
  expect(page).toMatchObject({
    domain: office.domain,
    email: office.email,
    suspendedAt: null,
    balance: expect.any(Number),
    limits: { callsToday: 1, international: false, proof: null },
    users: [{ email: office.email, role: 'ADMIN', invited: false }],
    tokens: [{ user: office.email, kind: 'token', lastFour: office.token.slice(-4) }],
    phones: [{ ramal: '1000' }],
    liveCalls: [{ id, type: 'outbound', status: 'ringing', from: '1000', to: call.called }],
    calls: [{ id }],
    charges: [{ amount: 100, method: 'PIX', paidAt: null }],
    entries: [{ kind: 'trial', amount: expect.any(Number) }],
  })
  expect(page.audit.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['charge.created', 'extension.created', 'account.signed-up']),
  )
  expect(JSON.stringify(page)).not.toContain(office.token)
  await service.api.post(`/calls/${id}/hangup`, undefined, office)
})

test('an account that does not exist has no page, and is neither suspended nor released', async () => {
  const reason = 'Unpaid invoice'
  expect((await operator().get('/accounts/nobody.example')).status).toBe(404)
  expect((await operator().post('/accounts/nobody.example/suspend', { reason })).status).toBe(404)
  expect((await operator().post('/accounts/nobody.example/release', { reason })).status).toBe(404)
})

test.each([{}, { reason: '' }, { reason: '   ' }, { reason: 7 }])(
  'refuses to suspend without a reason (%j)',
  async (body) => {
    const { status } = await operator().post(`/accounts/${office.domain}/suspend`, body)
    expect(status).toBe(422)
    expect((await pageOf(office)).suspendedAt).toBeNull()
  },
)

test('suspends and releases an account, which then works again', async () => {
  const own = await openOffice(service)
  const call = { extension: '1000', called: '5548999998888' }
  expect((await service.api.post('/calls', call, own)).status).toBe(200)
  const path = `/accounts/${own.domain}`
  const suspended = await operator().post(`${path}/suspend`, { reason: ' Unpaid invoice 4711 ' })
  expect([suspended.status, suspended.body]).toEqual([
    200,
    { domain: own.domain, suspendedAt: expect.any(String), suspensionReason: 'Unpaid invoice 4711' },
  ])
  await hangUp()
  await service.eventsStored()
  expect((await service.api.get('/users/me', own)).body.error.code).toBe('ACCOUNT_SUSPENDED')
  expect(await pageOf(own)).toMatchObject({
    suspendedAt: suspended.body.suspendedAt,
    liveCalls: [],
    phones: [],
    audit: expect.arrayContaining([expect.objectContaining({ action: 'account.suspended', actor: null })]),
  })
  const { rows } = (await operator().get(`/accounts?search=${own.domain}`)).body
  expect(rows[0].suspendedAt).toBe(suspended.body.suspendedAt)
  const released = await operator().post(`${path}/release`, { reason: 'Paid' })
  expect(released.body).toEqual({ domain: own.domain, suspendedAt: null, suspensionReason: null })
  expect((await service.api.get('/users/me', own)).status).toBe(200)
  const subjects = (await mailsTo(service as unknown as Service, own.email)).map(({ subject }) => subject)
  expect(subjects.slice(0, 2)).toEqual([
    'Conta liberada · Account released',
    'Conta suspensa · Account suspended',
  ])
})

describe('the description of the routes (D618)', () => {
  test('has an example of every body that conforms to its schema', async () => {
    const description = await describedBy()
    const operations = Object.entries(description.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
    )
    expect(operations.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'get /accounts/{domain}',
        'post /accounts/{domain}/suspend',
        'post /accounts/{domain}/release',
      ]),
    )
    for (const { name, operation } of operations) {
      for (const content of [operation.requestBody?.content, operation.responses['200']?.content]) {
        const body = content?.['application/json']
        if (!body) continue
        expect([name, faultsOf(description, body.schema, exampleOfBody(description, content))]).toEqual([
          name,
          [],
        ])
      }
    }
  })

  test('describes the page as it is', async () => {
    const description = await describedBy()
    const faults = faultsOf(
      description,
      { $ref: '#/components/schemas/OperatorAccount' },
      await pageOf(office),
    )
    expect(faults).toEqual([])
  })

  test('has no fault that a linter finds', async () => {
    const file = join(service.dataDir, 'operator-openapi.json')
    await writeFile(file, JSON.stringify(await describedBy()))
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const { stdout, stderr } = await run('npm', ['run', '--silent', 'lint:openapi', '--', file], { env })
    expect(`${stdout}${stderr}`).not.toMatch(/warning|error/i)
  })
})

describe.skipIf(programMissing('chromium'))('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  test.each([
    { language: 'pt', locale: 'pt-BR', width: 1280, theme: 'light' },
    { language: 'en', locale: 'en-GB', width: 360, theme: 'dark' },
  ] as const)(
    'the operator suspends an account and releases it by keyboard ($language, $width px)',
    async (story) => {
      const { language, locale, width, theme } = story
      const own = await openOffice(service)
      const words = accountWords[language]
      const { context, page, errors } = await openConsole(browser, service.url, {
        locale,
        colorScheme: theme,
        width,
      })
      onTestFinished(() => context.close())
      /** As a person without a mouse does. */
      const press = async (name: string) => {
        await page.getByRole('button', { name, exact: true }).first().focus()
        await page.keyboard.press('Enter')
      }
      await page.goto(`/operator?token=${service.app.operatorToken?.token}`)
      await page.getByRole('heading', { level: 1, name: operatorWords[language].overview }).waitFor()
      await page.goto(`/operator/accounts?search=${own.domain}`)
      await page.getByRole('link', { name: own.domain }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: own.organization_name }).waitFor()
      await page.getByRole('heading', { level: 2, name: words.users }).waitFor()
      await expectAccessible(page, 'account')

      await press(words.suspend)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(words.reason).focus()
      await page.keyboard.type('Unpaid invoice 4711')
      await expectAccessible(page, 'suspend')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await page.locator('.notice', { hasText: 'Unpaid invoice 4711' }).waitFor()
      await expectAccessible(page, 'suspended')
      expect((await pageOf(own)).suspendedAt).not.toBeNull()

      await press(words.release)
      await dialog.getByLabel(words.reason).focus()
      await page.keyboard.type('Paid')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: words.suspend, exact: true }).waitFor()
      expect((await pageOf(own)).suspendedAt).toBeNull()
      expect(errors).toEqual([])
    },
  )
})
