/** What an account sets for itself (D325), and the warning of a low balance (D326). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { filter } from '../../helpers/service/client.ts'
import { addCredit } from '../../helpers/service/operator.ts'
import { addUser, mailsTo } from '../../helpers/service/people.ts'
import { openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let service: VoiceService

beforeAll(async () => {
  service = await startVoiceService()
})
afterAll(() => service.stop())

type Who = { token: string }

const read = async (who: Who) => (await service.api.get('/accounts/settings', who)).body
const change = (body: object, who: Who) => service.api.patch('/accounts/settings', body, who)

const defaults = {
  timeZone: 'America/Sao_Paulo',
  language: 'pt',
  recordingDays: 90,
  bina: null,
  lowBalance: 5,
  callVisibility: 'account',
  monthlyReport: false,
}

describe('GET and PATCH /accounts/settings', () => {
  test('answer the settings, and change each by itself; what stays the same is no change', async () => {
    const office = await openOffice(service)
    expect(await read(office)).toEqual(defaults)
    await service.api.post('/numbers', { number: '1133330100' }, office)
    const steps = [
      { timeZone: 'Asia/Tokyo' },
      { language: 'en' },
      { recordingDays: 30 },
      { bina: '551133330100' },
      { lowBalance: 20.5 },
      { callVisibility: 'own' },
      { monthlyReport: true },
    ]
    let expected: object = defaults
    for (const step of steps) {
      expected = { ...expected, ...step }
      expect((await change(step, office)).body).toEqual(expected)
    }
    expect((await change(expected, office)).body).toEqual(expected)
    const reset = { recordingDays: null, bina: null, lowBalance: null }
    expect((await change(reset, office)).body).toEqual({
      ...defaults,
      timeZone: 'Asia/Tokyo',
      language: 'en',
      callVisibility: 'own',
      monthlyReport: true,
    })
    const { body } = await service.api.get('/accounts/audit?page=1', office)
    const changes = body.data
      .filter(({ action }: { action: string }) => action === 'account.updated')
      .map(({ details }: { details: object }) => details)
    expect(changes).toEqual([
      { changed: ['recordingDays', 'bina', 'lowBalance'] },
      { changed: ['monthlyReport'] },
      { changed: ['callVisibility'] },
      { changed: ['lowBalance'] },
      { changed: ['bina'] },
      { changed: ['recordingDays'] },
      { changed: ['language'] },
      { changed: ['timeZone'] },
    ])
  })

  test.each([
    ['timeZone', 'Atlantis/Capital'],
    ['timeZone', '+03:00'],
    ['language', 'fr'],
    ['recordingDays', 0],
    ['recordingDays', 91],
    ['recordingDays', 1.5],
    ['bina', '12'],
    ['bina', '1133330009'],
    ['lowBalance', -1],
    ['lowBalance', 0.001],
    ['lowBalance', 50_001],
    ['callVisibility', 'none'],
    ['monthlyReport', 'yes'],
  ])('refuse %s %j and change nothing', async (field, value) => {
    const office = await openOffice(service)
    const { status, body } = await change({ language: 'en', [field]: value }, office)
    expect([status, Object.keys(body.error.details.codes)]).toEqual([422, [field]])
    expect(await read(office)).toEqual(defaults)
  })

  test('are for ADMINs; PATCH /accounts names the route', async () => {
    const office = await openOffice(service)
    const user = await addUser(service as never, office)
    expect((await change({ language: 'en' }, user)).status).toBe(403)
    const { status, body } = await service.api.patch('/accounts', { timeZone: 'Asia/Tokyo' }, office)
    expect([status, body.error.details.messages.timeZone[0]]).toEqual([
      422,
      expect.stringContaining('PATCH /accounts/settings'),
    ])
  })
})

test('the time zone counts at once, for every user of the account, in filters and statistics', async () => {
  const office = await openOffice(service)
  const user = await addUser(service as never, office)
  const accountId = await accountIdOf(service.db, office.domain)
  await insertCalls(service.db, accountId, [{ started_at: new Date('2026-11-15T20:00:00Z') }])
  const where = { started_at: '2026-11-16' }
  const total = async (who: Who) =>
    (await service.api.get(`/calls?page=1&${filter({ where })}`, who)).body.meta.totalItemCount
  expect([await total(office), await total(user)]).toEqual([0, 0])
  await change({ timeZone: 'Asia/Tokyo' }, office)
  expect([await total(office), await total(user)]).toEqual([1, 1])
  const span = 'from=2026-11-15T00:00:00Z&to=2026-11-17T00:00:00Z'
  const { body } = await service.api.get(`/calls/stats?${span}`, user)
  expect(body).toMatchObject({ timeZone: 'Asia/Tokyo', data: [{ at: '2026-11-16T00:00:00', calls: 1 }] })
})

test('bina is presented by extensions that have none, and is not removed meanwhile', async () => {
  const office = await openOffice(service)
  await office.addExtension('1001')
  const { body: number } = await service.api.post('/numbers', { number: '1133330101' }, office)
  expect((await change({ bina: '(11) 3333-0101' }, office)).body.bina).toBe('551133330101')
  for (const [extension, BINA] of [
    ['1001', '551133330101'],
    ['1000', '554833334444'],
  ]) {
    const { body } = await service.api.post('/calls', { extension, called: '5548999998888' }, office)
    expect((await service.api.get(`/calls/${body.id}`, office)).body.BINA).toBe(BINA)
  }
  expect((await service.api.delete(`/numbers/${number.id}`, office)).body.error.code).toBe('NUMBER_IN_USE')
  await change({ bina: null }, office)
  expect((await service.api.delete(`/numbers/${number.id}`, office)).status).toBe(200)
})

test('a balance below lowBalance is mailed once to the ADMINs, in both languages (D326)', async () => {
  const office = await openOffice(service)
  const user = await addUser(service as never, office)
  await change({ lowBalance: 8 }, office)
  for (const amount of [-150, -150, -100]) await addCredit(service, office.domain, amount)
  const warnings = async (email: string) =>
    (await mailsTo(service, email)).filter(({ subject }) => subject === 'Saldo baixo · Low balance')
  const [mail, ...more] = await warnings(office.email)
  expect([more, await warnings(user.email)]).toEqual([[], []])
  expect(mail?.text).toContain(`${office.domain} é de R$ 7,00, abaixo de R$ 8,00`)
  expect(mail?.text).toContain(`${office.domain} is R$ 7.00, below R$ 8.00`)
})
