/** Hundreds of integrations with one URL turn one call into hundreds of requests to somebody's server. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser, openAccount } from '../helpers/people.ts'
import { type Service, startService } from '../helpers/service.ts'

let service: Service
let codes = 0
beforeAll(async () => {
  service = await startService({
    INTEGRATIONS_PER_USER: '12',
    INTEGRATIONS_PER_ACCOUNT: '20',
    INTEGRATIONS_PER_HOST: '10',
  })
})
afterAll(() => service.stop())

function webhookAt(webhookUrl: string) {
  codes += 1
  return {
    gateway: `crm-${codes}`,
    webhook: true,
    metadata: { webhookUrl, webhookTypes: ['channel-hangup'] },
  }
}
const create = (who: { token: string }, input: object) => service.api.patch('/integrations', input, who)
const codesOf = (answers: { status: number; body: { error?: { code: string } } }[]) =>
  answers.map(({ status, body }) => body.error?.code ?? status)

test('D198: an account has ten webhooks at one host, of all its users and ports together', async () => {
  const admin = await openAccount(service)
  const user = await addUser(service, admin)
  for (let n = 0; n < 5; n += 1) {
    expect((await create(admin, webhookAt('https://victim.example/hook'))).status).toBe(200)
    expect((await create(user, webhookAt(`https://VICTIM.example:${8000 + n}/x`))).status).toBe(200)
  }
  const refused = await create(user, webhookAt('https://victim.example/hook'))
  expect([refused.status, refused.body.error.code]).toEqual([409, 'INTEGRATION_HOST_LIMIT'])
  expect(refused.body.error.message).toContain('10 webhooks at victim.example')
  // Nor by moving one there, or by turning one on.
  const elsewhere = (await create(user, webhookAt('https://mine.example/'))).body
  const { metadata } = webhookAt('https://victim.example/')
  expect(codesOf([await create(user, { id: elsewhere.id, metadata })])).toEqual(['INTEGRATION_HOST_LIMIT'])
  const off = { ...webhookAt('https://victim.example/'), webhook: false }
  const { id } = (await create(user, off)).body
  expect(codesOf([await create(user, { id, webhook: true })])).toEqual(['INTEGRATION_HOST_LIMIT'])
})

test('D198: a webhook that is there may be changed, however many its host has', async () => {
  const admin = await openAccount(service)
  const made = []
  for (let n = 0; n < 10; n += 1) made.push((await create(admin, webhookAt('https://victim.example/'))).body)
  const change = {
    id: made[0].id,
    metadata: { ...made[0].metadata, webhookUrl: 'https://victim.example/other' },
  }
  expect((await create(admin, change)).status).toBe(200)
  expect((await create(admin, { id: made[1].id, webhook: false })).status).toBe(200)
  expect((await create(admin, webhookAt('https://victim.example/'))).status).toBe(200)
})

test('D198: at once, no more pass than the ceiling', async () => {
  const admin = await openAccount(service)
  const all = Array.from({ length: 20 }, () => create(admin, webhookAt('https://victim.example/')))
  expect((await Promise.all(all)).filter(({ status }) => status === 200)).toHaveLength(10)
})

test('D198: a user and an account have a ceiling of integrations', async () => {
  const admin = await openAccount(service)
  const user = await addUser(service, admin)
  const plain = () => ({ gateway: `plain-${++codes}` })
  for (let n = 0; n < 12; n += 1) expect((await create(admin, plain())).status).toBe(200)
  const refused = await create(admin, plain())
  expect([refused.status, refused.body.error.code]).toEqual([409, 'INTEGRATION_LIMIT'])
  expect(refused.body.error.message).toContain('12 are the most that one user may have')
  for (let n = 0; n < 8; n += 1) expect((await create(user, plain())).status).toBe(200)
  expect((await create(user, plain())).body.error.message).toContain('20 are the most that it may have')
})
