/** Spec §4.3 and §2.3: the financial account. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MoneyService, pix, startMoneyService } from '../../helpers/service/money.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'

let service: MoneyService
let who: Awaited<ReturnType<typeof openAccount>>
beforeAll(async () => {
  service = await startMoneyService({}, true)
})
beforeEach(async () => {
  who = await openAccount(service)
})
afterAll(() => service.stop())

const cnpj = '11.222.333/0001-81'
const read = async (person: { token: string } = who) =>
  (await service.api.get('/accounts/financial', person)).body
const activate = (cpfCnpj: unknown, person: { token: string } = who) =>
  service.api.post('/accounts/financial', { cpfCnpj }, person)
const change = (patch: object, person: { token: string } = who) =>
  service.api.send('PUT', '/accounts/financial', patch, person)

/** The customers that the gateway has for this account: the job may be at those of earlier tests. */
const customers = () => service.gateway.customers.filter(({ name }) => name === who.organization_name)

const fields = [
  'status',
  'company',
  'name',
  'email',
  'phone',
  'mobilePhone',
  'personType',
  'cpfCnpj',
  'address',
  'addressNumber',
  'addressComplement',
  'addressProvince',
  'addressDistrict',
  'addressCity',
  'addressState',
  'addressCountry',
  'addressZipCode',
  'additionalEmails',
]

test('GET before any POST answers the PENDING account with nulls (D37)', async () => {
  const body = await read()
  expect(Object.keys(body).sort()).toEqual(fields.sort())
  expect(body.status).toBe('PENDING')
  expect(Object.entries(body).filter(([name, value]) => name !== 'status' && value !== null)).toEqual([])
})

describe('POST /accounts/financial', () => {
  test.each([
    [cnpj, '11222333000181', 'JURIDICA'],
    ['12.ABC.345/01DE-35', '12ABC34501DE35', 'JURIDICA'],
    ['12abc34501de35', '12ABC34501DE35', 'JURIDICA'],
    ['529.982.247-25', '52998224725', 'FISICA'],
  ])('stores %s as %s of a %s, and is active (D37, D38, D39)', async (given, kept, personType) => {
    const { status, body } = await activate(given)
    expect([status, body]).toEqual([200, await read()])
    expect(body).toMatchObject({
      status: 'ACTIVE',
      cpfCnpj: kept,
      personType,
      company: who.organization_name,
      name: who.organization_name,
      email: who.email,
      phone: who.phone,
    })
  })

  test.each(['11.222.333/0001-82', '111.111.111-11', '', '123', 'abc', 12_345_678_909, null, undefined])(
    'refuses %j',
    async (given) => {
      const { status, body } = await activate(given)
      expect([status, Object.keys(body.error.details.codes)]).toEqual([422, ['cpfCnpj']])
    },
  )

  test('the same id again is fine, another one is locked (D39)', async () => {
    const { body: first } = await activate(cnpj)
    expect(await activate('11222333000181')).toMatchObject({ status: 200, body: first })
    const { status, body } = await activate('529.982.247-25')
    expect([status, body.error.code]).toEqual([409, 'FINANCIAL_LOCKED'])
    expect(await read()).toEqual(first)
  })

  test('of many at once with different ids, one wins and the others are refused', async () => {
    const ids = ['52998224725', '11144477735', cnpj, '12.ABC.345/01DE-35']
    const answers = await Promise.all(ids.map((id) => activate(id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const winner = answers.find(({ status }) => status === 200)
    expect(winner?.body).toEqual(await read())
  })

  test('that the gateway refuses is REJECTED, and another may be tried (D37)', async () => {
    service.gateway.failWith('refused')
    const { status, body } = await activate(cnpj)
    service.gateway.failWith(undefined)
    expect([status, Object.keys(body.error.details.codes)]).toEqual([422, ['cpfCnpj']])
    expect(await read()).toMatchObject({ status: 'REJECTED', cpfCnpj: '11222333000181' })
    expect((await activate('529.982.247-25')).body).toMatchObject({
      status: 'ACTIVE',
      cpfCnpj: '52998224725',
    })
  })

  test('changes nothing while the gateway is away', async () => {
    service.gateway.failWith('unavailable')
    expect((await activate(cnpj)).status).toBe(503)
    service.gateway.failWith(undefined)
    expect((await read()).status).toBe('PENDING')
  })

  test('is refused to a USER (D54)', async () => {
    const user = await addUser(service, who)
    expect((await activate(cnpj, user)).status).toBe(403)
    expect((await change({}, user)).status).toBe(403)
    expect((await service.api.get('/accounts/financial', user)).status).toBe(403)
  })
})

describe('PUT /accounts/financial', () => {
  const contacts = {
    phone: '(48) 3333-5555',
    mobilePhone: '+55 48 99999-8888',
    additionalEmails: ' Financeiro@Padaria.example, ana@padaria.example,financeiro@padaria.example , ',
  }

  test('changes phones and additional e-mails, before activation and after', async () => {
    const kept = { ...contacts, additionalEmails: 'financeiro@padaria.example,ana@padaria.example' }
    expect((await change(contacts)).body).toMatchObject({ status: 'PENDING', ...kept })
    expect((await activate(cnpj)).body).toMatchObject({ status: 'ACTIVE', ...kept })
    expect((await change({ phone: '1133334444' })).body).toMatchObject({ ...kept, phone: '1133334444' })
    expect((await change({ additionalEmails: '', mobilePhone: null })).body).toMatchObject({
      additionalEmails: null,
      mobilePhone: null,
      phone: '1133334444',
    })
  })

  test.each([
    ['1089', 'must be a CPF or CNPJ with valid check digits'],
    [cnpj, 'cannot be changed here; use POST /accounts/financial'],
  ])('refuses a tax id before activation, such as %s (D39)', async (cpfCnpj, problem) => {
    const { status, body } = await change({ cpfCnpj, phone: '1133334444' })
    expect([status, body.error.details.messages]).toEqual([422, { cpfCnpj: [problem] }])
    expect((await read()).phone).toBe(null)
    expect((await change({ cpfCnpj: null, phone: '1133334444' })).status).toBe(200)
  })

  test('changes nothing else (D39)', async () => {
    const { body } = await activate(cnpj)
    const others = {
      name: 'X',
      company: 'X',
      personType: 'FISICA',
      status: 'PENDING',
    }
    expect(await change(others)).toMatchObject({ status: 200, body })
    expect(await change({ ...body, phone: '1133334444' })).toMatchObject({
      status: 200,
      body: { ...body, phone: '1133334444' },
    })
  })

  const address = {
    address: 'Rua das Flores',
    addressNumber: '100',
    addressComplement: 'Sala 2',
    addressProvince: 'Centro',
    addressDistrict: 'Centro',
    addressCity: 'Florianópolis',
    addressState: 'SC',
    addressCountry: 'Brasil',
    addressZipCode: '88010000',
  }

  test('changes the address and the e-mail, before activation and after, and tells the gateway (D154)', async () => {
    const first = await change({ ...address, addressZipCode: '88.010-000', email: ' Contas@Padaria.example' })
    expect(first.body).toMatchObject({ status: 'PENDING', ...address, email: 'contas@padaria.example' })
    expect((await activate(cnpj)).body).toMatchObject({ ...address, email: 'contas@padaria.example' })
    expect(customers().at(-1)).toMatchObject({
      email: 'contas@padaria.example',
      address: 'Rua das Flores',
      addressNumber: '100',
      addressComplement: 'Sala 2',
      addressDistrict: 'Centro',
      addressZipCode: '88010000',
    })
    const { body } = await change({ addressNumber: '200', addressComplement: ' ', addressDistrict: null })
    expect(body).toMatchObject({
      ...address,
      addressNumber: '200',
      addressComplement: null,
      addressDistrict: null,
    })
    await expect
      .poll(async () => {
        await service.tick('payment customers')
        return customers().at(-1)
      })
      .toMatchObject({ addressNumber: '200', addressDistrict: 'Centro' })
    expect(await read()).toMatchObject({ addressNumber: '200' })
  })

  test('a postal code has eight digits, unless the country is another (D154)', async () => {
    const refused = await change({ addressZipCode: '1234' })
    expect([refused.status, Object.keys(refused.body.error.details.codes)]).toEqual([422, ['addressZipCode']])
    const abroad = { addressCountry: 'Portugal', addressZipCode: '1000-001' }
    expect((await change(abroad)).body).toMatchObject(abroad)
    expect((await change({ addressZipCode: '1000-002' })).body.addressZipCode).toBe('1000-002')
  })

  test('refuses another tax id once active (D39)', async () => {
    await activate(cnpj)
    for (const cpfCnpj of ['529.982.247-25', 'nonsense']) {
      const { status, body } = await change({ cpfCnpj, phone: '1133334444' })
      expect([status, body.error.code]).toEqual([409, 'FINANCIAL_LOCKED'])
    }
    expect((await read()).phone).toBe(who.phone)
  })

  test.each([
    ['phone', '123'],
    ['mobilePhone', 'x'],
    ['additionalEmails', 'ana'],
    ['additionalEmails', 'a@b.example;c@d.example'],
    ['additionalEmails', Array.from({ length: 21 }, (_, index) => `a${index}@b.example`).join()],
  ])('refuses %s %j', async (field, value) => {
    const { status, body } = await change({ [field]: value })
    expect([status, Object.keys(body.error.details.codes)]).toEqual([422, [field]])
  })

  test('keeps the customer at the gateway in step, however late', async () => {
    await activate(cnpj)
    const made = customers().at(-1)
    expect(made).toMatchObject({ taxId: '11222333000181', name: who.organization_name })
    service.gateway.failWith('unavailable')
    await change(contacts)
    await service.tick('payment customers')
    service.gateway.failWith(undefined)
    // The job, woken by the change, may be recording its failure yet: the retry is due a while after that.
    const retry = async () => {
      service.clock.advance(130)
      await service.tick('payment customers')
      return customers().at(-1)
    }
    await expect.poll(retry).toMatchObject({
      customerId: expect.stringMatching(/^cus_/),
      reference: made?.reference,
      phone: contacts.phone,
      mobilePhone: contacts.mobilePhone,
      additionalEmails: ['financeiro@padaria.example', 'ana@padaria.example'],
    })
    // The job that the change has woken may send the same once more.
    const further = async () => {
      const sent = customers().length
      await service.tick('payment customers')
      return customers().length - sent
    }
    await expect.poll(further).toBe(0)
  })
})

test('the database itself keeps the tax id of an active account', async () => {
  await activate(cnpj)
  const steal = sql`update financial_accounts set tax_id = '52998224725' where tax_id = '11222333000181'`
  await expect(steal.execute(service.db)).rejects.toThrow('keeps its tax id')
  const undo = sql`update financial_accounts set status = 'PENDING' where tax_id = '11222333000181'`
  await expect(undo.execute(service.db)).rejects.toThrow('keeps its tax id')
})

test('where the gateway needs a customer, a charge needs an active financial account (D36)', async () => {
  const charge = () => service.api.post('/charges', pix, who)
  const { status, body } = await charge()
  expect([status, body.error.code]).toEqual([422, 'FINANCIAL_ACCOUNT_REQUIRED'])
  await activate(cnpj)
  expect((await charge()).status).toBe(200)
  expect(service.gateway.orders.at(-1)?.customerId).toMatch(/^cus_/)
})
