/** Money in and out, from the trial credit to the last paid second. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '../../../src/billing/ledger/verify.ts'
import { findStrayReservations } from '../../../src/calls/events/pricing-store.ts'
import { passDatabaseTime } from '../../../src/nodes/testing/database-time.ts'
import { runRamal } from '../../helpers/programs/ramal-process.ts'
import { runAs } from '../../helpers/run/test-database.ts'
import { addCredit } from '../../helpers/service/operator.ts'
import { openAccount } from '../../helpers/service/people.ts'
import {
  allowDuplicate,
  type Office,
  openOffice,
  startVoiceService,
  type VoiceService,
} from '../../helpers/service/voice.ts'

/** R$ 0.12 a minute: 12 centavos are reserved for the first minute, 6 at least. */
const mobile = '5548999998888'

let service: VoiceService
beforeAll(async () => {
  // The operator's commands run in their own processes and in real time, so the test's clock starts at the real time.
  const now = new Date().toISOString()
  service = await startVoiceService({ WEBHOOK_ALLOW_PRIVATE: 'true', DATABASE_POOL: '10' }, now)
})
afterAll(async () => {
  expect((await verifyLedger(service.db)).findings).toEqual([])
  expect(await findStrayReservations(service.db)).toEqual([])
  await service.stop()
})

const call = (office: { token: string }, called = mobile, headers = {}) =>
  service.api.post(
    '/calls',
    { extension: '1000', called },
    { token: office.token, headers: { ...allowDuplicate, ...headers } },
  )
const balance = async (office: { token: string }) => (await service.api.get('/credits/balance', office)).body
const record = async (office: { token: string }, id: string) =>
  (await service.api.get(`/calls/${id}`, office)).body

async function officeWith(centavos: number): Promise<Office> {
  const office = await openOffice(service)
  if (centavos !== 1000) await addCredit(service, office.domain, centavos - 1000)
  expect(await balance(office)).toMatchObject({ balance: centavos / 100 })
  return office
}

/** Places a call that is answered and has lasted `seconds`. */
async function talk(office: Office, seconds: number, called = mobile): Promise<string> {
  const { status, body } = await call(office, called)
  expect(status).toBe(200)
  service.engine.pickUp(body.id)
  service.engine.answer(body.id)
  await service.eventsStored()
  pass(seconds)
  return body.id
}

/** Advances the clock and the timers. */
function pass(seconds: number) {
  service.clock.advance(seconds)
  service.timers.advance(seconds * 1000)
}

/** Advances the test's clock past the rows that a command, which runs in real time, has just written. */
function catchUpWithRealTime() {
  service.clock.advance(Math.max(0, Math.ceil((Date.now() - service.clock.now().getTime()) / 1000)))
}

async function hangUp(office: { token: string }, id: string) {
  expect((await service.api.post(`/calls/${id}/hangup`, undefined, office)).status).toBe(200)
  return await record(office, id)
}

test('a new account calls on its trial credit, and sees what it cost (D15, D40-D42)', async () => {
  const office = await openOffice(service)
  expect(await balance(office)).toEqual({ balance: 10, reserved: 0, available: 10, currency: 'BRL' })
  const id = await talk(office, 51)
  expect(await balance(office)).toMatchObject({ balance: 10, reserved: 0.12, available: 9.88 })
  expect(await record(office, id)).toMatchObject({ minute_price: null, call_price: null })
  expect(await hangUp(office, id)).toMatchObject({ duration: 51, minute_price: 0.12, call_price: 0.11 })
  expect(await balance(office)).toMatchObject({ balance: 9.89, reserved: 0 })
  const { data, meta } = (await service.api.get('/credits/statement?page=1', office)).body
  expect(meta.totalItemCount).toBe(2)
  expect(data).toMatchObject([
    { kind: 'call', amount: -0.11, balance: 9.89, reference: `call:${id}`, description: `Call to ${mobile}` },
    { kind: 'trial', amount: 10, balance: 10 },
  ])
  const { price } = (await service.api.get(`/calls/${id}/events`, office)).body
  expect(price).toEqual({
    rate: 'Brazil mobile',
    prefix: '55489',
    minutePrice: 0.12,
    seconds: 51,
    billedSeconds: 54,
    firstBlock: 30,
    step: 6,
    grace: 3,
    forgiven: 0,
    price: 0.11,
  })
})

test('the statement is searched and paged like any list; a USER does not see it', async () => {
  const office = await officeWith(500)
  const found = async (filter: object) => {
    const query = `page=1&filter=${encodeURIComponent(JSON.stringify(filter))}`
    return (await service.api.get(`/credits/statement?${query}`, office)).body
  }
  expect((await found({ where: { kind: 'trial' } })).data).toHaveLength(1)
  expect((await found({ where: { amount: { lt: 0 } } })).data).toMatchObject([{ amount: -5 }])
  expect((await found({ limit: 1 })).meta).toMatchObject({ totalItemCount: 2, totalPageCount: 2 })
  const person = {
    name: 'U',
    email: `u@${office.domain}`,
    password: 'correct horse',
    phone: '48999998888',
    role: 'USER',
  }
  await service.api.post('/users', person, office)
  const { body } = await service.api.post('/users/login', person)
  for (const path of ['/credits/balance', '/credits/statement?page=1']) {
    expect((await service.api.get(path, { token: body.id })).status).toBe(403)
  }
})

test('a low balance is announced once, to the webhooks that list it (D125)', async () => {
  const office = await officeWith(500)
  const metadata = { webhookUrl: 'http://127.0.0.1:1/hook', webhookTypes: ['account-low-balance'] }
  await service.api.patch('/integrations', { gateway: 'crm', webhook: true, metadata }, office)
  for (let calls = 0; calls < 2; calls += 1) await hangUp(office, await talk(office, 51))
  const { data } = (await service.api.get('/events?after=0', office)).body
  const announced = data.filter((event: { eventType: string }) => event.eventType === 'account-low-balance')
  expect(announced).toMatchObject([{ balance: 4.89, currency: 'BRL', domain: office.domain }])
})

describe('without credit', () => {
  test('nothing is dialled, and no call is recorded (D9)', async () => {
    const office = await officeWith(5)
    const { status, body } = await call(office)
    expect([status, body.error.code]).toEqual([402, 'INSUFFICIENT_CREDIT'])
    const dial = await service.api.post(
      '/dialer',
      { extension: '1000', phone: mobile },
      { ...office, headers: allowDuplicate },
    )
    expect(dial.status).toBe(402)
    expect((await call(office, mobile, { 'idempotency-key': 'x' })).status).toBe(402)
    expect((await service.api.get('/calls?page=1', office)).body.data).toEqual([])
  })

  test('D610: a phone that dials by itself is barred, with a phrase that names the missing credit', async () => {
    const office = await officeWith(5)
    const arrival = { from: { extension: office.extension('1000') }, dialled: mobile }
    expect(await service.engine.receive(arrival)).toEqual({
      rejected: 'OUTGOING_CALL_BARRED',
      phrase: 'Insufficient Credit',
    })
  })

  test('colleagues can be called, those outside can call, and toll-free numbers too', async () => {
    const office = await officeWith(0)
    await office.addExtension('1001')
    const inside = await talk(office, 600, '1001')
    expect(await hangUp(office, inside)).toMatchObject({ duration: 600, minute_price: 0, call_price: 0 })
    const free = await talk(office, 40, '08007771234')
    expect(await hangUp(office, free)).toMatchObject({ minute_price: 0, call_price: 0 })
    const arrived = await service.engine.receive({
      from: { trunk: 'x', callerId: { number: '11999998888' } },
      dialled: '554833334444',
    })
    expect(arrived).toHaveProperty('callId')
  })

  test('a number that the tariff does not know cannot be called', async () => {
    const { status, body } = await call(await officeWith(1000), '+88165000000')
    expect(status).toBe(422)
    expect(Object.keys(body.error.details.codes)).toEqual(['called'])
  })

  test('100 calls at once on credit for three are three', async () => {
    const office = await officeWith(36)
    const answers = await Promise.all(Array.from({ length: 100 }, () => call(office)))
    const statuses = Map.groupBy(answers, ({ status }) => status)
    expect([statuses.get(200)?.length, statuses.get(402)?.length]).toEqual([3, 97])
    expect(await balance(office)).toMatchObject({ balance: 0.36, reserved: 0.36, available: 0 })
    for (const { body } of statuses.get(200) ?? []) await hangUp(office, body.id)
    expect(await balance(office)).toMatchObject({ balance: 0.36, reserved: 0 })
  })
})

describe('a call that nobody answers, or not for long', () => {
  test('costs nothing', async () => {
    const office = await officeWith(12)
    const { body } = await call(office)
    expect(await hangUp(office, body.id)).toMatchObject({ minute_price: 0.12, call_price: 0, duration: 0 })
    const short = await talk(office, 3)
    expect(await hangUp(office, short)).toMatchObject({ call_price: 0, duration: 3 })
    expect(await balance(office)).toMatchObject({ balance: 0.12, reserved: 0 })
  })
})

describe('while people talk', () => {
  const extend = () => service.tick('credit of live calls')

  test('more is reserved in time', async () => {
    const office = await officeWith(1000)
    const id = await talk(office, 44)
    await extend()
    expect((await balance(office)).reserved).toBe(0.12)
    pass(1)
    await extend()
    expect((await balance(office)).reserved).toBe(0.24)
    pass(60)
    await extend()
    expect((await balance(office)).reserved).toBe(0.36)
    expect(await hangUp(office, id)).toMatchObject({
      duration: 105,
      call_price: 0.22,
      hangup_cause: 'NORMAL_CLEARING',
    })
  })

  test('and the money runs out, the call ends at its last paid second (D41)', async () => {
    const office = await officeWith(20)
    const id = await talk(office, 50)
    await extend()
    pass(47)
    await extend()
    expect(service.engine.liveCalls()).toContain(id)
    pass(5)
    expect(service.engine.liveCalls()).not.toContain(id)
    await service.eventsStored()
    expect(await record(office, id)).toMatchObject({ hangup_cause: 'ALLOTTED_TIMEOUT', call_price: 0.2 })
    expect(await balance(office)).toMatchObject({ balance: 0, reserved: 0 })
  })

  test('credit added during a call extends it', async () => {
    const office = await officeWith(12)
    const id = await talk(office, 50)
    await extend()
    await addCredit(service, office.domain, 500)
    await extend()
    pass(50)
    expect(service.engine.liveCalls()).toContain(id)
    expect(await hangUp(office, id)).toMatchObject({ duration: 100, call_price: 0.2 })
  })
})

test('a call whose node died is paid up to its last proof of life', async () => {
  const office = await officeWith(1000)
  const id = await talk(office, 40)
  const inDatabase = (statement: string) => runAs(service.database.url, statement)
  await passDatabaseTime(inDatabase, 40)
  await service.app.lease.renew()
  service.engine.lose(id)
  for (let waited = 0; waited < 80; waited += 10) {
    service.clock.advance(10)
    await passDatabaseTime(inDatabase, 10)
    await service.tick('orphaned calls')
  }
  expect(await record(office, id)).toMatchObject({
    hangup_cause: 'RECOVERY_ON_TIMER_EXPIRE',
    duration: 40,
    call_price: 0.08,
  })
  expect(await balance(office)).toMatchObject({ balance: 9.92, reserved: 0 })
})

describe('what an operator does', () => {
  const ramal = (...args: string[]) =>
    runRamal(args, { DATABASE_URL: service.database.url, DATA_DIR: service.dataDir, LOG_LEVEL: 'error' })

  test('adds credit with a reason, once for one reference; the books add up', async () => {
    const office = await openAccount(service as never)
    const add = ['credit', 'add', '--domain', office.domain, '--amount', '25.50', '--reason', 'goodwill']
    expect(await ramal(...add, '--reference', 'ticket-7')).toMatchObject({ code: 0 })
    expect(await ramal(...add, '--reference', 'ticket-7')).toMatchObject({ code: 1 })
    expect(await balance(office)).toMatchObject({ balance: 35.5 })
    expect(
      (await ramal('credit', 'add', '--domain', office.domain, '--amount', 'x', '--reason', 'y')).code,
    ).toBe(2)
    const { data } = (await service.api.get('/accounts/audit?page=1', office)).body
    // In real time, not by the test's clock.
    const adjusted = data.find(({ action }: { action: string }) => action === 'credit.adjusted')
    expect(adjusted?.details).toEqual({ amount: 25.5, reason: 'goodwill' })
    const verified = await ramal('ledger', 'verify')
    expect([verified.code, verified.text]).toEqual([0, expect.stringContaining('The books add up.')])
  })

  test('changes rates after a dry run; calls in progress keep their rate', async () => {
    const office = await officeWith(1000)
    const before = await talk(office, 40)
    const sheet = join(service.dataDir, 'rates.csv')
    await writeFile(sheet, `domain,prefix,name,minute_price\n${office.domain},55,Plan,0.01\n`)
    const look = await ramal('rates', 'import', sheet)
    expect([look.code, look.text]).toEqual([0, expect.stringContaining('Use --apply')])
    expect((await ramal('rates', 'import', sheet, '--apply')).text).toContain('Done.')
    expect((await ramal('rates', 'export')).text).toContain(`${office.domain},55,Plan,0.0100,30,6,3,`)
    catchUpWithRealTime()
    // The database has notified this process.
    const rate = async () => (await service.api.get(`/rates?to=${mobile}`, office)).body.minute_price
    await expect.poll(rate).toBe(0.01)
    expect(await hangUp(office, before)).toMatchObject({ minute_price: 0.12 })
    expect(await hangUp(office, await talk(office, 55))).toMatchObject({
      minute_price: 0.01,
      call_price: 0.01,
    })
  })
})
