/** Spec §4.2: charges as they are listed: their history, codes and metadata. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scanPng } from '../../helpers/programs/scan-png.ts'
import { filter } from '../../helpers/service/client.ts'
import { chargeFields, type MoneyService, pix, startMoneyService } from '../../helpers/service/money.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { movesOf } from '../../helpers/stored/money-rows.ts'

let service: MoneyService
type Person = Awaited<ReturnType<typeof openAccount>>
let admin: Person

beforeAll(async () => {
  service = await startMoneyService({ DATABASE_POOL: '10' })
  admin = await openAccount(service)
})
afterAll(() => service.stop())

const create = (request: object, who: { token: string } = admin) => service.api.post('/charges', request, who)
const cancel = (id: number | string, who: { token: string } = admin) =>
  service.api.patch(`/charges/${id}/cancel`, undefined, who)
const list = (who: { token: string }, more = '') => service.api.get(`/charges?page=1${more}`, who)

describe('GET /charges', () => {
  test('lists all fields, newest first, in pages', async () => {
    const who = await openAccount(service)
    const ids: number[] = []
    for (const amount of [10, 20, 30]) {
      const { body } = await create({ ...pix, amount }, who)
      await cancel(body.id, who)
      ids.unshift(body.id)
      service.clock.advance(1)
    }
    const { body } = await list(who)
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual(ids)
    expect(Object.keys(body.data[0]).sort()).toEqual(chargeFields.toSorted())
    expect(body.meta).toMatchObject({ totalItemCount: 3, currentPage: 1 })
    const found = async (where: object) =>
      (await list(who, `&${filter({ where })}`)).body.data.map(({ amount }: { amount: number }) => amount)
    expect(await found({ amount: { gte: 20 } })).toEqual([30, 20])
    expect(await found({ status: 'PENDING' })).toEqual([])
    expect(await found({ paymentMethod: 'PIX', amount: 10 })).toEqual([10])
    expect(await found({ dueDate: '2026-11-18' })).toEqual([30, 20, 10])
  })

  test('begins at page 1, and knows its fields', async () => {
    expect((await service.api.get('/charges', admin)).body.meta.currentPage).toBe(1)
    expect((await list(admin, `&${filter({ where: { look_at: 1 } })}`)).status).toBe(400)
  })

  test('never shows those of another account', async () => {
    expect((await list(await openAccount(service))).body.data).toEqual([])
  })
})

test('every move is kept with its cause', async () => {
  const who = await openAccount(service)
  const { body } = await create(pix, who)
  await service.movePayment(body.paymentId, 'CONFIRMED')
  await service.deliverLate(body.paymentId, 'PENDING')
  const moves = await movesOf(service.db, body.id)
  expect(moves).toMatchObject([
    { from_status: null, to_status: 'PENDING', taken: true, cause: `made by ${who.email}` },
    {
      from_status: 'PENDING',
      to_status: 'CONFIRMED',
      taken: true,
      cause: expect.stringContaining('PAYMENT_CONFIRMED'),
    },
    { from_status: 'CONFIRMED', to_status: 'PENDING', taken: false },
  ])
})

describe('the PIX code (D152)', () => {
  test('of a charge by PIX is its paymentCode; the QR picture carries the same', async () => {
    const who = await openAccount(service)
    const { body: made } = await create(pix, who)
    expect(made.pixCode).toMatch(/^000201.*6304[0-9A-F]{4}$/)
    const { body: charge } = await service.api.get(`/charges/${made.id}`, who)
    expect(charge).toMatchObject({ paymentCode: made.pixCode, pixCode: made.pixCode })
    const picture = (query = '') =>
      fetch(`${service.url}/api/v1/charges/${made.id}/qrcode${query}`, {
        headers: { authorization: who.token },
      })
    const png = await picture()
    expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(scanPng(Buffer.from(await png.arrayBuffer()))).toBe(made.pixCode)
    const svg = await picture('?format=svg')
    expect(svg.headers.get('content-type')).toContain('image/svg+xml')
    expect(await svg.text()).toMatch(/^<svg .*xmlns=/)
    expect((await picture('?format=gif')).status).toBe(400)
    await cancel(made.id, who)
    expect((await picture()).status).toBe(404)
  })

  test('a bank slip has its line as paymentCode; what the payer may choose has both', async () => {
    const who = await openAccount(service)
    const { body: slip } = await create({ ...pix, paymentMethod: 'BOLETO' }, who)
    const read = async (id: number) => (await service.api.get(`/charges/${id}`, who)).body
    expect((await read(slip.id)).paymentCode).toMatch(/^\d{47}$/)
    await cancel(slip.id, who)
    const { body: free } = await create({ ...pix, paymentMethod: 'UNDEFINED' }, who)
    expect((await read(free.id)).paymentCode).toMatch(/^\d{47}$/)
    expect(free.pixCode).toMatch(/^000201/)
    await cancel(free.id, who)
    const { body: card } = await create({ ...pix, paymentMethod: 'CREDIT_CARD' }, who)
    expect(card.pixCode).toBeNull()
    const { status, body } = await service.api.get(`/charges/${card.id}/qrcode`, who)
    expect([status, body.error.code]).toEqual([404, 'PIX_CODE_NOT_FOUND'])
  })
})

test('metadata of a charge is stored, shown, searched and bounded (D153)', async () => {
  const who = await openAccount(service)
  const metadata = { order: 7, deep: { list: [1, null, 'ç'] } }
  const { body } = await create({ ...pix, metadata }, who)
  expect(body.metadata).toEqual(metadata)
  const { body: found } = await list(who, `&${filter({ where: { 'metadata.order': 7 } })}`)
  expect(found.data[0].metadata).toEqual(metadata)
  await cancel(body.id, who)
  for (const bad of [
    { x: 'x'.repeat(17_000) },
    JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`),
    'x',
    [1],
  ]) {
    const refused = await create({ ...pix, metadata: bad }, who)
    expect([refused.status, Object.keys(refused.body.error.details.codes)]).toEqual([422, ['metadata']])
  }
})

test('numbers in the metadata of a charge keep every digit; those that cannot be stored are refused (D153)', async () => {
  const who = await openAccount(service)
  const send = async (metadata: string) => {
    const response = await fetch(`${service.url}/api/v1/charges`, {
      method: 'POST',
      headers: { authorization: who.token, 'content-type': 'application/json' },
      body: `${JSON.stringify(pix).slice(0, -1)},"metadata":${metadata}}`,
    })
    return { status: response.status, text: await response.text() }
  }
  const refused = await send('{"n":1e999999}')
  expect([refused.status, JSON.parse(refused.text).error.details.codes]).toEqual([
    422,
    { metadata: ['numericality'] },
  ])
  const made = await send('{"n":12345678901234567890}')
  expect([made.status, made.text]).toEqual([200, expect.stringContaining('"n":12345678901234567890')])
  const { id } = JSON.parse(made.text)
  const shown = await fetch(`${service.url}/api/v1/charges/${id}`, { headers: { authorization: who.token } })
  expect(await shown.text()).toContain('"n":12345678901234567890')
})

test('one charge by its id, of the account alone (D150)', async () => {
  const who = await openAccount(service)
  const { body: made } = await create(pix, who)
  const { body: listed } = await list(who)
  expect((await service.api.get(`/charges/${made.id}`, who)).body).toEqual(listed.data[0])
  for (const id of [made.id, 'x', '0']) {
    const { status, body } = await service.api.get(`/charges/${id}`, admin)
    expect([status, body.error.code]).toEqual([404, 'CHARGE_NOT_FOUND'])
  }
  expect((await service.api.get(`/charges/${made.id}`, await addUser(service, who))).status).toBe(403)
})

test('the audit log tells amounts in reais (D60)', async () => {
  const who = await openAccount(service)
  await create({ ...pix, amount: 12.34 }, who)
  const asked = filter({ where: { action: 'charge.created' } })
  const { body } = await service.api.get(`/accounts/audit?page=1&${asked}`, who)
  expect(body.data[0].details).toEqual({ amount: 12.34 })
})
