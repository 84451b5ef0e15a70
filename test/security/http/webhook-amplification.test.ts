/** Hundreds of integrations with one URL turn one call into hundreds of requests to somebody's server. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestTimers } from '../../../src/kit/testing/test-timers.ts'
import { startReceiver } from '../../helpers/programs/receiver.ts'
import { announceAtOnce, attemptsRecorded, callOf } from '../../helpers/service/announcements.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
let codes = 0
const timers = createTestTimers()
beforeAll(async () => {
  const settings = {
    INTEGRATIONS_PER_USER: '12',
    INTEGRATIONS_PER_ACCOUNT: '60',
    WEBHOOKS_PER_HOST_SECOND: '20',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  }
  service = await startService(settings, { timers })
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

test('D198: every user of an account may have a webhook at one host, with one URL', async () => {
  const admin = await openAccount(service)
  for (let n = 0; n < 12; n += 1) {
    const seller = await addUser(service, admin)
    expect((await create(seller, webhookAt('https://hooks.crm.example/calls'))).status).toBe(200)
  }
})

test('D198: what an account sends to one host is spread over time, however many webhooks are there', async () => {
  const admin = await openAccount(service)
  const receiver = await startReceiver()
  for (let n = 0; n < 5; n += 1) {
    const user = await addUser(service, admin, 'ADMIN')
    for (let m = 0; m < 12; m += 1) await create(user, webhookAt(receiver.url))
  }
  await announceAtOnce(service, await callOf(service, admin.email), ['channel-hangup'])
  await service.tick('webhook deliveries')
  // Two seconds' worth at once, then twenty a second.
  await expect.poll(() => receiver.received.length).toBe(41)
  timers.advance(500)
  await expect.poll(() => receiver.received.length).toBe(51)
  timers.advance(500)
  await attemptsRecorded(service)
  expect(receiver.received).toHaveLength(60)
  await receiver.stop()
})

test('D198: a user and an account have a ceiling of integrations', async () => {
  const admin = await openAccount(service)
  const user = await addUser(service, admin)
  const plain = () => ({ gateway: `plain-${++codes}` })
  for (let n = 0; n < 12; n += 1) expect((await create(admin, plain())).status).toBe(200)
  const refused = await create(admin, plain())
  expect([refused.status, refused.body.error.code]).toEqual([409, 'INTEGRATION_LIMIT'])
  expect(refused.body.error.message).toContain('12 are the most that one user may have')
  for (let n = 0; n < 4; n += 1) {
    const other = await addUser(service, admin)
    for (let m = 0; m < 12; m += 1) expect((await create(other, plain())).status).toBe(200)
  }
  expect((await create(user, plain())).body.error.message).toContain('60 are the most that it may have')
})
