/** One account dials without end: free internal calls that take all sound ports, and calls to an absent colleague. */
import { beforeAll, expect, test } from 'vitest'
import { openAccount } from '../../helpers/service/people.ts'
import type { Service } from '../../helpers/service/service.ts'
import { startService } from '../../helpers/service/service.ts'
import { keep } from '../../sip/engine/engine-setup.ts'
import { openRawPhone, sdpOf } from '../sip/raw-phone.ts'

const person = { first_name: 'Ana', last_name: 'Souza', gravar_audio: 0 }

let service: Service
let sipPort: number

beforeAll(async () => {
  service = await startService(
    {
      SIP_PORT: '0',
      SIP_WS_PORT: '0',
      RTP_PORTS: '41000-41159',
      CALLS_PER_EXTENSION: '8',
      CALLS_PER_ACCOUNT: '20',
      CALL_ATTEMPTS: '25',
    },
    { engine: undefined },
  )
  sipPort = Number(service.app.voice.node.engine.addresses().SIP?.split(':')[1])
  return () => service.stop()
})

async function openOffice() {
  const account = await openAccount(service)
  return {
    account,
    async phone(t: Parameters<typeof keep>[0], number: string) {
      const password = `senha-do-ramal-${number}`
      const extension = { ...person, ramal: number, senha: password, email_address: account.email }
      expect((await service.api.post('/extensions', extension, account)).status).toBe(200)
      const phone = await openRawPhone(sipPort, { number, password, domain: account.domain })
      return keep(t, phone)
    },
    calls: async (): Promise<{ hangup_cause: string | null }[]> =>
      (await service.api.get('/calls?page=1', account)).body.data,
  }
}

const statuses = (answers: { response: string }[]) => {
  const count = new Map<string, number>()
  for (const { response } of answers) {
    const status = response.slice(8, 11)
    count.set(status, (count.get(status) ?? 0) + 1)
  }
  return Object.fromEntries(count)
}

test('D176: one account cannot take all sound ports with free internal calls', async (t) => {
  const office = await openOffice()
  const callee = await office.phone(t, '1001')
  await callee.register()
  const callers = await Promise.all(
    ['1000', '1002', '1003', '1004', '1005'].map((one) => office.phone(t, one)),
  )
  for (const caller of callers) await caller.register()
  callee.answerAll(sdpOf('127.0.0.1', 40_000))
  const answers = []
  for (const caller of callers) for (let n = 0; n < 12; n += 1) answers.push(await caller.dial('1001'))
  // Eight of each extension, twenty of the account.
  expect(statuses(answers)).toEqual({ 200: 20, 503: 40 })
  expect(await office.calls()).toHaveLength(20)

  const { body, status } = await service.api.post(
    '/calls',
    { extension: '1005', called: '1001' },
    office.account,
  )
  expect([status, body.error.code]).toEqual([429, 'TOO_MANY_CALLS'])
  expect(body.error.message).toContain('20 calls at once')

  const neighbour = await openOffice()
  const [other, colleague] = [await neighbour.phone(t, '1000'), await neighbour.phone(t, '1001')]
  await other.register()
  await colleague.register()
  colleague.answerAll(sdpOf('127.0.0.1', 40_000))
  expect((await other.dial('1001')).response).toMatch(/^SIP\/2\.0 200/)
})

test('D177: calls to an absent colleague beyond the attempts of a minute leave no record', async (t) => {
  const office = await openOffice()
  const caller = await office.phone(t, '1000')
  await office.phone(t, '1001')
  await caller.register()
  const answers = []
  for (let n = 0; n < 60; n += 1) answers.push(await caller.dial('1001'))
  const { 480: absent = 0, 503: refused = 0 } = statuses(answers)
  expect(absent + refused).toBe(60)
  expect(absent).toBeLessThan(40)
  expect(await office.calls()).toHaveLength(absent)
})
