/** A stolen token or phone password is used to spend an account's credit in one night. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCredit, changeLimits } from '../../helpers/service/operator.ts'
import { openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

/** 03:00 in São Paulo. */
const night = '2026-11-16T06:00:00.000Z'
const mobile = (n: number) => `55489999${String(10_000 + n).slice(1)}8`

let service: VoiceService
beforeAll(async () => {
  service = await startVoiceService({ NEW_CALLS_PER_DAY: '6', NEW_SPENDING_PER_DAY: '0.30' }, night)
})
afterAll(() => service.stop())

async function openRichOffice() {
  const office = await openOffice(service)
  await addCredit(service, office.domain, 100_000)
  const call = (n: number, headers = {}) =>
    service.api.post('/calls', { extension: '1000', called: mobile(n) }, { token: office.token, headers })
  const limits = async () => (await service.api.get('/accounts/limits', office)).body
  const hangUp = (id: string) => service.api.post(`/calls/${id}/hangup`, undefined, office)
  return { ...office, call, limits, hangUp }
}

test('D193: spending stops at the ceiling of the day, however much credit there is', async () => {
  const office = await openRichOffice()
  const answers = []
  for (let n = 0; n < 4; n += 1) answers.push(await office.call(n))
  // 12 centavos are set aside for the first minute of a call; the third has half of it left.
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
  expect(answers[3]?.body.error).toMatchObject({ statusCode: 429, code: 'DAILY_SPENDING_LIMIT' })
  expect(answers[3]?.body.error.message).toContain('R$ 0.30 a day')
  for (const header of ['retry-after', 'ratelimit-reset'])
    expect(answers[3]?.headers.get(header)).toBe('86400')
  expect((await office.limits()).spendingPerDay).toMatchObject({ limit: 0.3, used: 0.3 })
  const { data } = (await service.api.get('/calls?page=1', office)).body
  expect(data).toHaveLength(3)
})

test('D193: a call that lasts is ended when the spending of the day is used up', async () => {
  const office = await openRichOffice()
  const { id } = (await office.call(1)).body
  service.engine.pickUp(id)
  service.engine.answer(id)
  await service.eventsStored()
  const pass = (seconds: number) => {
    service.clock.advance(seconds)
    service.timers.advance(seconds * 1000)
  }
  for (let seconds = 0; seconds < 300; seconds += 5) {
    pass(5)
    await service.tick('credit of live calls')
  }
  await service.eventsStored()
  const { body } = await service.api.get(`/calls/${id}`, office)
  expect(body).toMatchObject({ hangup_cause: 'ALLOTTED_TIMEOUT', call_price: 0.3, duration: 150 })
  expect((await office.call(2)).body.error.code).toBe('DAILY_SPENDING_LIMIT')
})

test('D193: calls stop at the ceiling of the day, over the API and from a phone; a new day begins after 24 hours', async () => {
  const office = await openRichOffice()
  const placed = []
  for (let n = 0; n < 6; n += 1) {
    const { status, body } = await office.call(n)
    expect(status).toBe(200)
    placed.push(body.id)
    await office.hangUp(body.id)
  }
  const refused = await office.call(7)
  expect([refused.status, refused.body.error.code]).toEqual([429, 'DAILY_CALL_LIMIT'])
  expect((await office.call(8, { 'idempotency-key': 'eight' })).status).toBe(429)
  const arrival = { from: { extension: office.extension('1000') }, dialled: mobile(9) }
  expect(await service.engine.receive(arrival)).toEqual({
    rejected: 'OUTGOING_CALL_BARRED',
    phrase: 'Daily Limit Reached',
  })
  expect((await service.api.get('/calls?page=1', office)).body.data).toHaveLength(6)
  expect((await office.limits()).callsPerDay).toMatchObject({ limit: 6, used: 6 })

  service.clock.advance(86_400)
  expect((await office.limits()).callsPerDay).toMatchObject({ used: 0 })
  expect((await office.call(7)).status).toBe(200)
  expect(await office.limits()).toMatchObject({ callsPerDay: { used: 1 } })
})

test('D193: of many calls at once no more pass than the day allows', async () => {
  const office = await openRichOffice()
  await changeLimits(service, office.domain, { spendingPerDay: 100_000 })
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => office.call(n)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(6)
  expect((await office.limits()).callsPerDay.used).toBe(6)
})

test('D149: an equal call that is not placed does not count', async () => {
  const office = await openRichOffice()
  expect((await office.call(1)).status).toBe(200)
  for (let n = 0; n < 3; n += 1) expect((await office.call(1)).status).toBe(409)
  expect((await office.limits()).callsPerDay.used).toBe(1)
})
