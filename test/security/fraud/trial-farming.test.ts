/** One person signs up again and again, to call on fresh trial credit each time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from '../../helpers/service/operator.ts'
import { mailedLink, newSignup, password, press } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
let strict: Service
beforeAll(async () => {
  ;[service, strict] = await Promise.all([startService(), startService({ TRIAL_PROOF: 'tax-id' })])
})
afterAll(() => Promise.all([service.stop(), strict.stop()]))

async function signUp(at: Service, email: string) {
  const signup = { ...newSignup(), email }
  expect((await at.api.post('/accounts/signup', signup)).status).toBe(201)
  await press(await mailedLink(at, email))
  const { body } = await at.api.post('/users/login', { email, password })
  const token: string = body.id
  return {
    token,
    credit: async () => (await at.api.get('/credits/balance', { token })).body.balance,
    prove: (cpfCnpj: string) => at.api.post('/accounts/financial', { cpfCnpj }, { token }),
  }
}

test('D196: variants of one e-mail address get trial credit once', async () => {
  expect(await (await signUp(service, 'farm@evil.example')).credit()).toBe(10)
  for (const email of ['farm+1@evil.example', 'farm+2@evil.example', 'farm+x+y@evil.example']) {
    expect(await (await signUp(service, email)).credit()).toBe(0)
  }
  expect(await (await signUp(service, 'first.last@gmail.com')).credit()).toBe(10)
  expect(await (await signUp(service, 'firstlast+again@googlemail.com')).credit()).toBe(0)
  expect(await (await signUp(service, 'somebody@evil.example')).credit()).toBe(10)
})

test('D196: sign-ups of one person at once get it once', async () => {
  const farmed = await Promise.all([1, 2, 3, 4, 5].map((n) => signUp(service, `crowd+${n}@evil.example`)))
  const credit = await Promise.all(farmed.map((one) => one.credit()))
  expect(credit.sort((a, b) => a - b)).toEqual([0, 0, 0, 0, 10])
})

test('D196: where calls cost money the credit comes with the tax id, once for each', async () => {
  const first = await signUp(strict, 'ana@evil.example')
  expect(await first.credit()).toBe(0)
  expect((await first.prove('52998224725')).status).toBe(200)
  expect(await first.credit()).toBe(10)
  expect((await first.prove('52998224725')).status).toBe(200)
  expect(await first.credit()).toBe(10)
  const sameTaxId = await signUp(strict, 'bia@evil.example')
  await sameTaxId.prove('52998224725')
  expect(await sameTaxId.credit()).toBe(0)
  const sameMailbox = await signUp(strict, 'ana+2@evil.example')
  await sameMailbox.prove('11144477735')
  expect(await sameMailbox.credit()).toBe(0)
  const other = await signUp(strict, 'caio@evil.example')
  await other.prove('11144477735')
  expect(await other.credit()).toBe(10)
})

test('D196: an account that the operator made has the credit, and no more by its tax id', async () => {
  const { token } = await createAccount(strict, {
    organizationName: 'Loja',
    domain: 'loja.ramal.localhost',
    email: 'loja@good.example',
    password,
    phone: '+55 48 3333-4444',
    crm: 'Outros',
    userQuantity: '1-5',
  })
  const credit = async () => (await strict.api.get('/credits/balance', { token })).body.balance
  expect(await credit()).toBe(10)
  const proven = await strict.api.post('/accounts/financial', { cpfCnpj: '15350946056' }, { token })
  expect(proven.status).toBe(200)
  expect(await credit()).toBe(10)
})
