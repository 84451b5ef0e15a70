/** Live calls of all accounts at the operator's desk (D620). */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { accountWords } from '../../console/operator/account/words.ts'
import { operatorWords } from '../../console/operator/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { createClient, fetchAsOperator } from '../helpers/service/client.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../helpers/service/voice.ts'
import { expectAccessible, openConsole, startChromium } from './console-browser.ts'

let service: VoiceService
beforeAll(async () => {
  service = await startVoiceService({ CONSOLE: 'on' })
  await service.app.consoleBuild?.finished
})
afterAll(() => service?.stop())

const operator = () =>
  createClient(`${service.url}/operator/api`, fetchAsOperator(service.app.operatorToken?.token ?? ''))
const called = '5548999998888'
const place = async (office: Office): Promise<string> =>
  (await service.api.post('/calls', { extension: '1000', called }, office)).body.id
const listed = async (search = '') => (await operator().get(`/calls?search=${search}`)).body

test('live calls of all accounts are listed, found by domain and number, and gone once they end', async () => {
  const [one, other] = [await openOffice(service), await openOffice(service)]
  const first = await place(one)
  service.clock.advance(1)
  const second = await place(other)
  expect((await listed()).rows.map(({ id }: { id: string }) => id)).toEqual([second, first])
  await expect.poll(async () => (await listed(one.domain)).rows[0].status).toBe('ringing')
  expect(await listed(one.domain)).toEqual({
    rows: [
      {
        id: first,
        domain: one.domain,
        type: 'outbound',
        status: 'ringing',
        from: '1000',
        to: called,
        startedAt: expect.any(String),
        answeredAt: null,
        node: service.app.node.id,
      },
    ],
    total: 1,
    page: 1,
    perPage: 25,
  })
  expect((await listed('99999888')).total).toBe(2)
  expect((await listed('%25')).total).toBe(0)
  await service.api.post(`/calls/${first}/hangup`, undefined, one)
  expect((await listed()).rows.map(({ id }: { id: string }) => id)).toEqual([second])
  await service.api.post(`/calls/${second}/hangup`, undefined, other)
})

test('a call is hung up with a reason, which the audit log of its account has', async () => {
  const office = await openOffice(service)
  const id = await place(office)
  const hangUp = (body: object, call = id) => operator().post(`/calls/${call}/hangup`, body)
  expect((await hangUp({})).status).toBe(422)
  expect((await hangUp({ reason: 'Fraud' }, crypto.randomUUID())).body.error.code).toBe('CALL_NOT_FOUND')
  expect((await hangUp({ reason: 'Fraud' }, 'x')).body.error.code).toBe('CALL_NOT_FOUND')
  expect((await hangUp({ reason: ' Fraud ' })).body).toEqual({ id })
  expect(service.engine.liveCalls()).not.toContain(id)
  expect((await service.api.get(`/calls/${id}`, office)).body.status).toBe('cancelled')
  const { data } = (await service.api.get('/accounts/audit?page=1', office)).body
  expect(data[0]).toMatchObject({
    action: 'call.hung-up',
    actor: null,
    subject: id,
    details: { reason: 'Fraud' },
  })
  expect((await hangUp({ reason: 'Fraud' })).status).toBe(404)
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
  ] as const)('the operator hangs up a call by keyboard ($language, $width px)', async (story) => {
    const { language, locale, width, theme } = story
    const words = operatorWords[language]
    const office = await openOffice(service)
    const id = await place(office)
    const { context, page, errors } = await openConsole(browser, service.url, {
      locale,
      colorScheme: theme,
      width,
    })
    onTestFinished(() => context.close())
    await page.goto(`/operator?token=${service.app.operatorToken?.token}`)
    await page.getByRole('heading', { level: 1, name: words.overview }).waitFor()
    await page.goto(`/operator/calls?search=${office.domain}`)
    await page.getByRole('link', { name: office.domain }).waitFor()
    await expectAccessible(page, 'live calls')
    await page.getByRole('button', { name: new RegExp(`^${commonWords[language].hangUp} `) }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(accountWords[language].reason).fill('Fraud')
    await expectAccessible(page, 'hang up')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(words.noLiveCalls).waitFor()
    expect(service.engine.liveCalls()).not.toContain(id)
    expect(errors).toEqual([])
  })
})
