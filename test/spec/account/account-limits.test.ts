/** GET /accounts/limits, what proves an account, and the event `account-alert`: our additions (D193 to D197). */
import type pg from 'pg'
import Value from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { AccountLimits } from '../../../src/contract/accounts/account-limits.ts'
import { webhookPayloads } from '../../../src/contract/webhooks/webhook-payloads.ts'
import { followPayments, payAtSandbox, pix } from '../../helpers/service/money.ts'
import { changeLimits, createAccount } from '../../helpers/service/operator.ts'
import { addUser, mailsTo } from '../../helpers/service/people.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

const personal = '+44 70 1234 5678'

let service: VoiceService
beforeAll(async () => {
  service = await startVoiceService({
    NEW_CALLS_PER_DAY: '200',
    NEW_SPENDING_PER_DAY: '20.00',
    CALLS_PER_DAY: '5000',
    SPENDING_PER_DAY: '700.00',
    CALLS_PER_EXTENSION: '3',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  })
})
afterAll(() => service.stop())

const limitsOf = async (who: { token: string }, language = 'en') =>
  (await service.api.get('/accounts/limits', { ...who, headers: { 'accept-language': language } })).body
const call = (office: { token: string }, called: string) =>
  service.api.post('/calls', { extension: '1000', called }, office)

describe('GET /accounts/limits', () => {
  test('shows every user what the account may do, what it has used, and why something is off', async () => {
    const office = await openOffice(service)
    const user = await addUser(service as never, office)
    const before = await limitsOf(user)
    expect([...Value.Errors(AccountLimits, before)]).toEqual([])
    expect(before).toMatchObject({
      proven: false,
      provenBy: null,
      dayBegan: null,
      dayEnds: null,
      callsPerDay: { limit: 200, used: 0, source: 'new-account' },
      spendingPerDay: { limit: 20, used: 0, source: 'new-account' },
      callsAtOnce: { extension: 3 },
      international: { enabled: false, source: 'new-account' },
    })
    expect(before.ranges).toContainEqual({
      prefix: '4470',
      name: 'United Kingdom, personal numbers',
      reason: expect.stringContaining('their owners earn'),
      enabled: false,
    })
    expect((await limitsOf(user, 'pt-BR')).ranges).toContainEqual(
      expect.objectContaining({ prefix: '4470', name: 'Reino Unido, números pessoais' }),
    )
    await call(office, '5548999998888')
    expect(await limitsOf(user)).toMatchObject({
      callsPerDay: { used: 1 },
      spendingPerDay: { used: 0.12 },
      dayBegan: service.clock.now().toISOString(),
    })
  })

  test('needs a token', async () => {
    expect((await service.api.get('/accounts/limits')).status).toBe(401)
  })

  test('shows what the operator has set for the account, and what it goes back to', async () => {
    const office = await openOffice(service)
    await changeLimits(service, office.domain, {
      callsPerDay: 7,
      spendingPerDay: 150,
      international: true,
      allow: ['53'],
    })
    const set = await limitsOf(office)
    expect(set).toMatchObject({
      callsPerDay: { limit: 7, source: 'account' },
      spendingPerDay: { limit: 1.5, source: 'account' },
      international: { enabled: true, source: 'account' },
    })
    expect(set.ranges.filter(({ enabled }: { enabled: boolean }) => enabled)).toMatchObject([
      { prefix: '53' },
    ])
    await changeLimits(service, office.domain, { callsPerDay: null, bar: ['53'] })
    const back = await limitsOf(office)
    expect(back.callsPerDay).toMatchObject({ limit: 200, source: 'new-account' })
    expect(back.ranges.filter(({ enabled }: { enabled: boolean }) => enabled)).toEqual([])
    const audit = (await service.api.get('/accounts/audit?page=1', office)).body.data
    expect(audit[0]).toMatchObject({ action: 'account.limits-changed', actor: null })
  })
})

test('D176: the operator sets how many calls an account, and each extension, may have at once', async () => {
  const office = await openOffice(service)
  const refusal = async (number: string) => (await call(office, number)).body.error?.message
  await changeLimits(service, office.domain, { callsAtOncePerExtension: 5, callsAtOnce: 4 })
  expect((await limitsOf(office)).callsAtOnce).toEqual({ extension: 5, account: 4, source: 'account' })
  for (const digit of [1, 2, 3, 4]) expect(await refusal(`554899999888${digit}`)).toBeUndefined()
  expect(await refusal('5548999998885')).toBe('the account has 4 calls at once, the most it may have')
  await changeLimits(service, office.domain, { callsAtOncePerExtension: null, callsAtOnce: null })
  await expect.poll(() => refusal('5548999998885')).toContain('extension 1000 has 3 calls at once')
  expect((await limitsOf(office)).callsAtOnce.source).toBe('default')
})

test('D193: the limits of an account cost a call no statement', async () => {
  const office = await openOffice(service)
  await call(office, '5548999998881')
  const sent: { client: pg.Client; text: string }[] = []
  const client = await service.app.services.base.store.pool.connect()
  client.release()
  let prototype: pg.Client = Object.getPrototypeOf(client)
  // That of pg itself, for all pools of the service.
  while ('query' in Object.getPrototypeOf(prototype)) prototype = Object.getPrototypeOf(prototype)
  const { query } = prototype
  function note(this: pg.Client, ...args: Parameters<typeof query>) {
    const [first] = args as unknown as [string | { text: string }]
    sent.push({ client: this, text: (typeof first === 'string' ? first : first.text).trim() })
    return query.apply(this, args)
  }
  const spy = vi.spyOn(prototype, 'query').mockImplementation(note as never)
  const { status } = await call(office, '5548999998882')
  spy.mockRestore()
  expect(status).toBe(200)
  expect(sent.filter(({ text }) => text.includes('account_limits'))).toEqual([])
  // The credit with the day of the account, and the call, in one statement that needs no transaction.
  const placing = sent.filter(({ text }) => /insert into calls|\bbalances\b/.test(text))
  expect(placing.map(({ text }) => text.split(/\s/, 1)[0])).toEqual(['with'])
  const ofClient = sent.filter(({ client }) => client === placing[0]?.client).map(({ text }) => text)
  expect(ofClient[ofClient.indexOf(placing[0]?.text ?? '') - 1]).not.toBe('begin')
})

describe('D195: a new account', () => {
  const proven = { callsPerDay: { limit: 5000, source: 'default' }, spendingPerDay: { limit: 700 } }

  test('is proven by a tax id', async () => {
    const office = await openOffice(service)
    await service.api.post('/accounts/financial', { cpfCnpj: '52998224725' }, office)
    expect(await limitsOf(office)).toMatchObject({ proven: true, provenBy: 'tax-id', ...proven })
  })

  test('is not proven by a tax id that is refused', async () => {
    const office = await openOffice(service)
    await service.api.post('/accounts/financial', { cpfCnpj: '52998224726' }, office)
    expect(await limitsOf(office)).toMatchObject({ proven: false })
  })

  test('is proven by the first payment, not by a charge that is open', async () => {
    const paying = await startVoiceService({ CALLS_PER_DAY: '5000', SPENDING_PER_DAY: '700.00' })
    const office = await openOffice(paying)
    const show = async () => (await paying.api.get('/accounts/limits', office)).body
    const { body: charge } = await paying.api.post('/charges', pix, office)
    expect(await show()).toMatchObject({ proven: false })
    await payAtSandbox(charge.paymentLink)
    await followPayments(paying)
    expect(await show()).toMatchObject({ proven: true, provenBy: 'payment', ...proven })
    await paying.stop()
  })

  test('is proven when the operator made it', async () => {
    const account = await createAccount(service, {
      organizationName: 'Oficina',
      domain: 'oficina.ramal.localhost',
      email: 'ana@oficina.example',
      password: 'correct horse battery',
      phone: '+55 48 3333-4444',
      crm: 'Outros',
      userQuantity: '1-5',
    })
    expect(await limitsOf(account)).toMatchObject({ provenBy: 'operator', ...proven })
  })
})

describe('D197: account-alert', () => {
  const alertsOf = async (office: { token: string }) =>
    (await service.api.get('/events?after=0', office)).body.data.filter(
      ({ eventType }: { eventType: string }) => eventType === 'account-alert',
    )
  async function listen(office: Office) {
    const metadata = { webhookUrl: 'http://127.0.0.1:1/hook', webhookTypes: ['account-alert'] }
    await service.api.patch('/integrations', { gateway: 'alerts', webhook: true, metadata }, office)
  }
  const alertMails = async (email: string) =>
    (await mailsTo(service, email)).filter(({ subject }) => subject.startsWith('Alerta'))

  test('is an event and a mail to the ADMINs, once an hour for each rule', async () => {
    const office = await openOffice(service)
    await listen(office)
    const user = await addUser(service as never, office)
    for (let n = 0; n < 5; n += 1) expect((await call(office, personal)).status).toBe(422)
    await expect.poll(() => alertsOf(office)).toHaveLength(1)
    const [{ cursor: _, ...event }] = await alertsOf(office)
    expect(event).toMatchObject({
      rule: 'destination',
      domain: office.domain,
      details: { number: '447012345678', prefix: '4470' },
      message: expect.stringContaining('United Kingdom, personal numbers'),
    })
    const schema = webhookPayloads['account-alert']
    expect([...Value.Errors(schema, { version: '1.8', ...event })]).toEqual([])
    const [mail, ...more] = await alertMails(office.email)
    expect([more, await alertMails(user.email)]).toEqual([[], []])
    expect(mail?.subject).toBe('Alerta: destino bloqueado · Alert: blocked destination')
    expect(mail?.text.indexOf('foi recusada')).toBeLessThan(mail?.text.indexOf('was refused') ?? 0)

    service.clock.advance(1800)
    await call(office, personal)
    service.clock.advance(1801)
    await call(office, personal)
    await expect.poll(() => alertsOf(office)).toHaveLength(2)
    expect(await alertMails(office.email)).toHaveLength(2)
  })

  test('reports a daily ceiling and too many calls at once by rules of their own', async () => {
    const office = await openOffice(service)
    await listen(office)
    for (const number of ['5548999998881', '5548999998882', '5548999998883']) await call(office, number)
    expect((await call(office, '5548999998884')).body.error.code).toBe('TOO_MANY_CALLS')
    await expect
      .poll(() => alertsOf(office))
      .toMatchObject([{ rule: 'calls-at-once', details: { limit: 3 } }])
    await office.addExtension('1001')
    await changeLimits(service, office.domain, { callsPerDay: 3 })
    const refused = async () =>
      (await service.api.post('/calls', { extension: '1001', called: '5548999998885' }, office)).body.error
        ?.code
    await expect.poll(refused).toBe('DAILY_CALL_LIMIT')
    await expect
      .poll(() => alertsOf(office))
      .toMatchObject([{ rule: 'calls-at-once' }, { rule: 'calls-per-day', details: { limit: 3 } }])
  })

  test('does not reach a USER', async () => {
    const office = await openOffice(service)
    await listen(office)
    const user = await addUser(service as never, office)
    await call(office, personal)
    await expect.poll(() => alertsOf(office)).toHaveLength(1)
    expect(await alertsOf(user)).toEqual([])
  })
})
