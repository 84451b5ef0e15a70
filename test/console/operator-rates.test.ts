/** Rates at the operator's desk: tried, previewed, imported in one transaction (D622), and in the operator's log (D623). */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { rateWords } from '../../console/operator/rates/words.ts'
import { operatorWords } from '../../console/operator/words.ts'
import type { ApiDocument } from '../../src/http/reference/document.ts'
import { faultsOf } from '../helpers/description/api-description.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { createClient, fetchAsOperator } from '../helpers/service/client.ts'
import { openAccount } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium } from './console-browser.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ CONSOLE: 'on' })
  await service.app.consoleBuild?.finished
})
afterAll(() => service?.stop())

const operator = () =>
  createClient(`${service.url}/operator/api`, fetchAsOperator(service.app.operatorToken?.token ?? ''))
const post = (path: string, body: object) => operator().post(`/rates/${path}`, body)
const preview = async (csv: string, replace = false) => (await post('preview', { csv, replace })).body
const reason = 'New price list'
/** As a customer of the service sees it. */
const priceFor = async (account: Awaited<ReturnType<typeof openAccount>>, number: string) =>
  (await service.api.get(`/rates?to=${number}`, account)).body.minute_price

test('a preview says what is new, changed and gone, and changes nothing', async () => {
  const who = await openAccount(service)
  const own = `domain,prefix,minute_price\n${who.domain},55,0.02\n${who.domain},1,0.03`
  const first = await preview(own)
  expect(first).toMatchObject({
    applied: false,
    counts: { new: 2, changed: 0, gone: 0, unchanged: 0, problems: 0 },
    lines: [
      { kind: 'new', domain: who.domain, prefix: '1', after: { minutePrice: 0.03 } },
      { kind: 'new', domain: who.domain, prefix: '55', after: { minutePrice: 0.02, until: null } },
    ],
    problems: [],
  })
  expect(await priceFor(who, '5548999998888')).toBe(0.12)
  const imported = await post('import', { csv: own, plan: first.plan, reason })
  expect([imported.status, imported.body.applied]).toEqual([200, true])
  await expect.poll(() => priceFor(who, '5548999998888')).toBe(0.02)
  service.clock.advance(1)
  expect(await preview(`domain,prefix,minute_price\n${who.domain},55,0.05`, true)).toMatchObject({
    counts: { new: 0, changed: 1, gone: 1, unchanged: 0, problems: 0 },
    lines: [
      { kind: 'gone', prefix: '1', before: { minutePrice: 0.03 } },
      { kind: 'changed', prefix: '55', before: { minutePrice: 0.02 }, after: { minutePrice: 0.05 } },
    ],
  })
})

test('a sheet with a line that cannot be used is imported not at all, and every such line is named', async () => {
  const who = await openAccount(service)
  const csv = `domain;prefix;minute_price\n${who.domain};55;0,02\n${who.domain};x;0,02\n;8816;-1\nnobody.example;1;1`
  const answer = await preview(csv)
  expect(answer.problems).toEqual([
    { line: 3, message: 'prefix must be 1 to 15 digits' },
    { line: 4, message: expect.stringContaining('minute_price') },
    { message: 'there is no account nobody.example' },
  ])
  const inPortuguese = await operator().post(
    '/rates/preview',
    { csv },
    { headers: { 'accept-language': 'pt-BR' } },
  )
  expect(inPortuguese.body.problems[0].message).toBe('prefix deve ter de 1 a 15 dígitos')
  const refused = await post('import', { csv, plan: answer.plan, reason })
  expect([refused.status, refused.body.error.details.codes]).toEqual([422, { csv: ['format'] }])
  expect(await priceFor(who, '5548999998888')).toBe(0.12)
})

test('an import that is not the one of the preview is refused', async () => {
  const who = await openAccount(service)
  const csv = (price: string) => `domain,prefix,minute_price\n${who.domain},55,${price}`
  const { plan } = await preview(csv('0.02'))
  const other = await post('import', { csv: csv('0.03'), plan, reason })
  expect([other.status, other.body.error.details.codes]).toEqual([422, { plan: ['exclusion'] }])
  expect((await post('import', { csv: csv('0.02'), plan, reason })).status).toBe(200)
  const again = await post('import', { csv: csv('0.02'), plan, reason })
  expect([again.status, again.body.error.details.codes]).toEqual([422, { plan: ['exclusion'] }])
})

test.each([
  [{ plan: '0'.repeat(32) }, 'reason'],
  [{ plan: 'x', reason }, 'plan'],
  [{ reason }, 'plan'],
])('an import needs the plan and a reason (%j)', async (body, field) => {
  const { status, body: answer } = await post('import', { csv: 'prefix,minute_price\n8816,1', ...body })
  expect([status, Object.keys(answer.error.details.codes)]).toEqual([422, [field]])
})

test('a number is tried with the rates of now and with those of a sheet', async () => {
  const who = await openAccount(service)
  const trial = (body: object) => post('trial', body)
  const found = await trial({ number: '(48) 99999-8888', seconds: 61 })
  expect(found.body).toEqual({
    number: '5548999998888',
    seconds: 61,
    current: {
      ownDeck: false,
      prefix: expect.stringMatching(/^55/),
      name: 'Brazil mobile',
      minutePrice: 0.12,
      firstBlock: 30,
      step: 6,
      grace: 3,
      price: 0.13,
    },
  })
  const csv = `domain,prefix,minute_price\n${who.domain},5548,0.06`
  const planned = (await trial({ number: '48999998888', domain: who.domain, csv })).body
  expect([planned.current.minutePrice, planned.planned]).toMatchObject([
    0.12,
    { ownDeck: true, prefix: '5548', minutePrice: 0.06, price: 0.06 },
  ])
  expect((await trial({ number: '+881 6 5000 0000' })).body.current).toBeUndefined()
  expect((await trial({ number: '12' })).body.error.details.codes).toEqual({ number: ['format'] })
  const nobody = await trial({ number: '48999998888', domain: 'nobody.example' })
  expect(nobody.body.error.details.codes).toEqual({ domain: ['inclusion'] })
})

test('the exported sheet is imported without a change, in both spellings', async () => {
  for (const separator of ['comma', 'semicolon']) {
    const { csv } = (await operator().get(`/rates/sheet?separator=${separator}`)).body
    const { counts } = await preview(csv, true)
    expect(counts).toMatchObject({ new: 0, changed: 0, gone: 0, problems: 0 })
    expect(counts.unchanged).toBeGreaterThan(10)
  }
})

test('every answer is as described (D618)', async () => {
  const description = (await operator().get('/openapi.json')).body as ApiDocument
  const csv = 'prefix,minute_price\n8819,1\nx,1'
  const answers = {
    OperatorRates: (await operator().get('/rates')).body,
    OperatorRatePlan: await preview(csv),
    OperatorRateFound: (await post('trial', { number: '48999998888', csv })).body,
    OperatorRateSheet: (await operator().get('/rates/sheet')).body,
    OperatorLog: (await operator().get('/log')).body,
  }
  for (const [name, answer] of Object.entries(answers)) {
    const faults = faultsOf(description, { $ref: `#/components/schemas/${name}` }, answer)
    expect([name, faults]).toEqual([name, []])
  }
})

test('rates are for the operator alone', async () => {
  const who = await openAccount(service)
  const asUser = createClient(`${service.url}/operator/api`)
  const body = { csv: 'prefix,minute_price\n55,0' }
  expect((await asUser.post('/rates/preview', body, who)).status).toBe(401)
  expect((await asUser.get('/log', who)).status).toBe(401)
})

describe.skipIf(programMissing('chromium'))('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  test.each([
    { language: 'pt', locale: 'pt-BR', width: 1280, theme: 'light', prefix: '88165' },
    { language: 'en', locale: 'en-GB', width: 360, theme: 'dark', prefix: '88166' },
  ] as const)(
    'the operator previews, tries and imports by keyboard ($language, $width px)',
    async (story) => {
      const { language, locale, width, theme, prefix } = story
      const words = operatorWords[language]
      const own = rateWords[language]
      const { context, page, errors } = await openConsole(browser, service.url, {
        locale,
        colorScheme: theme,
        width,
      })
      onTestFinished(() => context.close())
      await page.goto(`/operator?token=${service.app.operatorToken?.token}`)
      await page.getByRole('heading', { level: 1, name: words.overview }).waitFor()
      await page.goto('/operator/rates')
      await page.getByLabel(words.number, { exact: true }).fill('(48) 99999-8888')
      await page.keyboard.press('Enter')
      await page.getByText('Brazil mobile').first().waitFor()
      await expectAccessible(page, 'rates')

      await page.getByRole('button', { name: own.import }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      const upload = async (csv: string) => {
        const file = { name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
        await dialog.getByLabel(own.file).setInputFiles(file)
        await dialog.getByRole('button', { name: own.preview }).focus()
        await page.keyboard.press('Enter')
      }
      await upload('prefix;minute_price\nx;1,00\n')
      await dialog.getByText(own.line(2)).waitFor()
      await expectAccessible(page, 'problems')
      await upload(`prefix;name;minute_price\n${prefix};Satellite;9,90\n`)
      await dialog.getByText(own.counts(1, 0, 0, 0, 0)).waitFor()
      await dialog.getByLabel(words.number, { exact: true }).fill(`+${prefix}0000000`)
      await page.keyboard.press('Enter')
      await dialog.getByText(own.noRate).waitFor()
      await dialog.getByText(`+${prefix} Satellite`).waitFor()
      await expectAccessible(page, 'preview')
      await dialog.getByLabel(words.reason).fill(reason)
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      const { rows } = (await operator().get(`/rates?search=${prefix}`)).body
      expect(rows).toContainEqual(expect.objectContaining({ prefix, minutePrice: 9.9 }))

      await page.goto('/operator/log')
      await page.getByText(words.actionNames['rates.imported']).first().waitFor()
      await page.getByText(reason).first().waitFor()
      await expectAccessible(page, 'log')
      expect(errors).toEqual([])
    },
  )
})
