/** Credit and refunds by the operator: each with a reason, entered once (D617). */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { accountWords } from '../../console/operator/account/words.ts'
import { operatorWords } from '../../console/operator/words.ts'
import { verifyLedger } from '../../src/billing/ledger/verify.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { createClient, fetchAsOperator } from '../helpers/service/client.ts'
import { followPayments, payAtSandbox, pix } from '../helpers/service/money.ts'
import { openAccount } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium } from './console-browser.ts'

type Account = Awaited<ReturnType<typeof openAccount>>

let service: Service

beforeAll(async () => {
  service = await startService({ CONSOLE: 'on' })
  await service.app.consoleBuild?.finished
})
afterAll(async () => {
  expect((await verifyLedger(service.db)).findings).toEqual([])
  await service?.stop()
})

const operator = () =>
  createClient(`${service.url}/operator/api`, fetchAsOperator(service.app.operatorToken?.token ?? ''))
const reason = 'Goodwill after the outage'
const adjust = ({ domain }: Account, body: object) => operator().post(`/accounts/${domain}/credit`, body)
const statement = async (who: Account) => (await service.api.get('/credits/statement?page=1', who)).body.data
const balanceOf = async (who: Account) => (await service.api.get('/credits/balance', who)).body.balance

test('credit is an entry that the statement and the audit log show with its reason', async () => {
  const who = await openAccount(service)
  const { status, body } = await adjust(who, { amount: 12.34, reason, key: 'ticket-0001' })
  expect([status, body]).toEqual([
    200,
    { domain: who.domain, amount: 12.34, balance: 22.34, reserved: 0, repeated: false },
  ])
  const [newest] = await statement(who)
  expect(newest).toMatchObject({ kind: 'adjustment', amount: 12.34, balance: 22.34, description: reason })
  const { data } = (await service.api.get('/accounts/audit?page=1', who)).body
  expect(data[0]).toMatchObject({
    action: 'credit.adjusted',
    actor: null,
    details: { amount: 12.34, reason },
  })
})

test('the same request sent ten times at once is entered once', async () => {
  const who = await openAccount(service)
  const body = { amount: -10, reason, key: 'ticket-0002' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => adjust(who, body)))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(answers.filter(({ body: { repeated } }) => !repeated)).toHaveLength(1)
  expect(await balanceOf(who)).toBe(0)
  const entered = (await statement(who)).filter(({ kind }: { kind: string }) => kind === 'adjustment')
  expect(entered).toHaveLength(1)
})

test('a key that was used for something else is refused, for any account', async () => {
  const [who, other] = [await openAccount(service), await openAccount(service)]
  const body = { amount: 1, reason, key: 'ticket-0003' }
  expect((await adjust(who, body)).status).toBe(200)
  for (const [account, change] of [
    [who, { amount: 2 }],
    [who, { reason: 'Another one' }],
    [other, {}],
  ] as const) {
    const answer = await adjust(account, { ...body, ...change })
    expect([answer.status, answer.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  }
  expect([await balanceOf(who), await balanceOf(other)]).toEqual([11, 10])
})

test('no more is taken than the account has', async () => {
  const who = await openAccount(service)
  const answer = await adjust(who, { amount: -10.01, reason, key: 'ticket-0004' })
  expect([answer.status, answer.body.error.code]).toEqual([402, 'INSUFFICIENT_CREDIT'])
  expect(await balanceOf(who)).toBe(10)
})

test.each([
  [{ amount: 0 }, 'amount'],
  [{ amount: 0.001 }, 'amount'],
  [{ amount: 1_000_001 }, 'amount'],
  [{ amount: '10' }, 'amount'],
  [{ reason: '' }, 'reason'],
  [{ key: 'short' }, 'key'],
])('refuses %j by field', async (change, field) => {
  const who = await openAccount(service)
  const { status, body } = await adjust(who, { amount: 1, reason, key: 'ticket-0005', ...change })
  expect([status, Object.keys(body.error.details.codes)]).toEqual([422, [field]])
})

test('an account that does not exist gets no credit', async () => {
  const body = { amount: 1, reason, key: 'ticket-0006' }
  expect((await operator().post('/accounts/nobody.example/credit', body)).status).toBe(404)
})

async function pay(who: Account): Promise<number> {
  const { body } = await service.api.post('/charges', { ...pix, paymentMethod: 'UNDEFINED' }, who)
  await payAtSandbox(body.paymentLink)
  const isPaid = async () => {
    await followPayments(service)
    return await balanceOf(who)
  }
  await expect.poll(isPaid).toBe(110)
  return body.id
}

test('a paid charge is refunded once, leaves the balance, and is in the audit log', async () => {
  const [who, other] = [await openAccount(service), await openAccount(service)]
  const id = await pay(who)
  const refund = ({ domain }: Account, charge: unknown = id) =>
    operator().post(`/accounts/${domain}/charges/${charge}/refund`, { reason: 'Paid twice' })
  expect((await refund(other)).body.error.code).toBe('CHARGE_NOT_FOUND')
  expect((await refund(who, 'x')).body.error.code).toBe('CHARGE_NOT_FOUND')
  expect((await refund(who)).body).toMatchObject({ id, status: 'REFUNDED', amount: 100 })
  expect((await refund(who)).body).toMatchObject({ id, status: 'REFUNDED' })
  const isRefunded = async () => {
    await followPayments(service)
    return await balanceOf(who)
  }
  await expect.poll(isRefunded).toBe(10)
  const refunds = (await statement(who)).filter(({ kind }: { kind: string }) => kind === 'refund')
  expect(refunds).toMatchObject([{ amount: -100 }])
  const { data } = (await service.api.get('/accounts/audit?page=1', who)).body
  const asked = data.filter(({ action }: { action: string }) => action === 'charge.refund-asked')
  expect(asked).toMatchObject([{ subject: String(id), details: { reason: 'Paid twice' } }])
})

test('a charge that nobody has paid is not refunded', async () => {
  const who = await openAccount(service)
  const { body } = await service.api.post('/charges', pix, who)
  const answer = await operator().post(`/accounts/${who.domain}/charges/${body.id}/refund`, { reason })
  expect(answer.status).toBe(424)
})

describe.skipIf(programMissing('chromium'))('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  test('the operator gives credit by keyboard, and refunds a charge', async () => {
    const who = await openAccount(service)
    await pay(who)
    const words = accountWords.pt
    const { context, page, errors } = await openConsole(browser, service.url, {
      locale: 'pt-BR',
      colorScheme: 'light',
      width: 1280,
    })
    onTestFinished(() => context.close())
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).first().focus()
      await page.keyboard.press('Enter')
    }
    await page.goto(`/operator?token=${service.app.operatorToken?.token}`)
    await page.getByRole('heading', { level: 1, name: operatorWords.pt.overview }).waitFor()
    await page.goto(`/operator/accounts/${who.domain}`)
    const dialog = page.getByRole('dialog')
    await page.getByRole('heading', { level: 2, name: words.entries }).waitFor()

    await press(words.adjust)
    await dialog.getByLabel(words.amount).fill('1.234,56')
    await dialog.getByLabel(words.reason).fill(reason)
    await expectAccessible(page, 'credit')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(reason).first().waitFor()
    expect(await balanceOf(who)).toBe(1344.56)

    await page.getByRole('button', { name: /Reembolsar a cobrança/ }).click()
    await dialog.getByLabel(words.reason).fill('Pago duas vezes')
    await expectAccessible(page, 'refund')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(words.chargeStatuses.REFUNDED ?? '', { exact: true }).waitFor()
    expect(errors).toEqual([])
  })
})
