/** D188, D190: a number is verified by a call in which the person who answers types a code. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findStrayReservations } from '../../../src/calls/events/pricing-store.ts'
import { hideDatabase } from '../../helpers/run/test-database.ts'
import { addCredit, assignNumber, releaseNumber } from '../../helpers/service/operator.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import type { Service } from '../../helpers/service/service.ts'
import { openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

const trunk = { name: 'main', address: 'sip:127.0.0.1:9', qualifySeconds: 0, callerId: '551130001000' }

let service: VoiceService
let next = 48_3300_0000

beforeAll(async () => {
  service = await startVoiceService({ TRUNKS: JSON.stringify([trunk]) })
})
afterAll(() => service.stop())

type Who = { token: string; domain: string }

const open = () => openAccount(service as unknown as Service)
function newNumber(): string {
  next += 1
  return `55${next}`
}

async function claim(who: Who, number = newNumber()) {
  const { body } = await service.api.post('/numbers', { number: `+${number}` }, who)
  const path = `/numbers/${body.id}`
  return {
    number,
    path,
    verify: (headers: Record<string, string> = {}) =>
      service.api.post(`${path}/verify`, undefined, { token: who.token, headers }),
    show: async () => (await service.api.get(path, who)).body,
    outcome: async () => (await service.api.get(path, who)).body.lastCall?.outcome,
    /** The call that rings there now. */
    ringing: () => {
      const call = service.engine.codeCalls.requests().find((request) => request.number === number)
      if (!call) throw new Error(`${number} does not ring`)
      return call
    },
  }
}
type Claimed = Awaited<ReturnType<typeof claim>>

function answer(claimed: Claimed, keys: string) {
  const { callId } = claimed.ringing()
  service.engine.codeCalls.answer(callId)
  service.clock.advance(20)
  service.engine.codeCalls.press(callId, keys)
}

async function hangUp(claimed: Claimed) {
  service.engine.codeCalls.end(claimed.ringing().callId, 'USER_BUSY')
  await expect.poll(claimed.outcome).toBe('not-answered')
}

const balance = async (who: Who) => (await service.api.get('/credits/balance', who)).body

describe('POST /numbers/{id}/verify', () => {
  test('shows a code and calls the number; typed there, it verifies the number', async () => {
    const who = await open()
    const claimed = await claim(who)
    const before = await balance(who)
    const { status, body } = await claimed.verify()
    expect([status, body]).toMatchObject([
      200,
      { code: expect.stringMatching(/^\d{6}$/), number: { verified: false }, message: expect.any(String) },
    ])
    expect(Date.parse(body.expiresAt) - service.clock.now().getTime()).toBe(105_000)
    expect(service.engine.trunkInvites().at(-1)).toMatchObject({ number: claimed.number })
    expect(await claimed.show()).toMatchObject({ lastCall: { endedAt: null, outcome: null } })
    answer(claimed, body.code)
    await expect.poll(claimed.outcome).toBe('verified')
    expect(await claimed.show()).toMatchObject({ verified: true, proof: 'call' })
    expect((await claimed.verify()).body).toMatchObject({ code: null, number: { verified: true } })

    const { body: statement } = await service.api.get('/credits/statement?page=1', who)
    expect(statement.data[0]).toMatchObject({ description: `Call to ${claimed.number}` })
    expect((await balance(who)).balance).toBeLessThan(before.balance)
    const { body: audit } = await service.api.get('/accounts/audit?page=1', who)
    const actions = audit.data.map(({ action }: { action: string }) => action)
    expect(actions).toEqual(expect.arrayContaining(['number.called', 'number.verified']))
    expect((await service.api.get('/calls?page=1', who)).body.data).toEqual([])
  })

  test('leaves the number as it is when the code is wrong three times, or not typed', async () => {
    const claimed = await claim(await open())
    const { body } = await claimed.verify()
    const wrong = body.code === '000000' ? '111111' : '000000'
    answer(claimed, wrong.repeat(3))
    await expect.poll(claimed.outcome).toBe('wrong-code')
    service.clock.advance(60)
    await claimed.verify()
    const { callId } = claimed.ringing()
    service.engine.codeCalls.answer(callId)
    service.engine.codeCalls.end(callId, 'NORMAL_CLEARING')
    await expect.poll(claimed.outcome).toBe('no-code')
    expect(await claimed.show()).toMatchObject({ verified: false, proof: null })
  })

  test('costs nothing when nobody answers', async () => {
    const who = await open()
    const before = await balance(who)
    const claimed = await claim(who)
    await claimed.verify()
    await hangUp(claimed)
    expect(await balance(who)).toEqual(before)
  })

  test('needs credit, and a destination that the account may call (D194)', async () => {
    const who = await open()
    const abroad = await claim(who, '881612345678')
    expect((await abroad.verify()).body.error.code).toBe('DESTINATION_NOT_ALLOWED')
    const { balance: reais } = await balance(who)
    await addCredit(service, who.domain, -Math.round(reais * 100))
    const { status, body } = await (await claim(who)).verify()
    expect([status, body.error.code]).toEqual([402, 'INSUFFICIENT_CREDIT'])
    expect(service.engine.codeCalls.requests()).toEqual([])
  })

  test('speaks Portuguese to those who prefer it', async () => {
    const claimed = await claim(await open())
    const { body } = await claimed.verify({ 'accept-language': 'pt-BR' })
    expect(body.localizedMessage).toContain('digite o código')
    await hangUp(claimed)
  })

  test('is for ADMINs, and for numbers of the account', async () => {
    const who = await open()
    const { path } = await claim(who)
    const agent = await addUser(service as unknown as Service, who)
    const asked = (token: string, of = path) => service.api.post(`${of}/verify`, undefined, { token })
    expect((await asked(agent.token)).status).toBe(403)
    expect((await asked((await open()).token)).body.error.code).toBe('NUMBER_NOT_FOUND')
  })
})

describe('limits (D190)', () => {
  test('one call at a time, and a minute between two to one number', async () => {
    const who = await open()
    const [first, second] = [await claim(who), await claim(who)]
    await first.verify()
    const live = await second.verify()
    expect([live.status, live.body.error.code]).toEqual([429, 'TOO_MANY_VERIFICATIONS'])
    await hangUp(first)
    const again = await first.verify()
    expect([again.status, again.headers.get('retry-after')]).toEqual([429, '60'])
    service.clock.advance(60)
    expect((await first.verify()).status).toBe(200)
    await hangUp(first)
  })

  test('five a day to one number, from whichever account', async () => {
    const number = newNumber()
    for (let call = 0; call < 5; call += 1) {
      const claimed = await claim(await open(), number)
      expect((await claimed.verify()).status).toBe(200)
      await hangUp(claimed)
      service.clock.advance(60)
    }
    const claimed = await claim(await open(), number)
    const { status, headers } = await claimed.verify()
    expect([status, headers.get('retry-after')]).toEqual([429, `${86_400 - 300}`])
    service.clock.advance(86_400 - 300)
    expect((await claimed.verify()).status).toBe(200)
    await hangUp(claimed)
  })

  test('ten a day for an account, also if it gives numbers up and claims them again', async () => {
    const who = await open()
    for (let call = 0; call < 10; call += 1) {
      const claimed = await claim(who)
      expect((await claimed.verify()).status).toBe(200)
      await hangUp(claimed)
      await service.api.delete(claimed.path, who)
    }
    expect((await (await claim(who)).verify()).status).toBe(429)
  })
})

describe('whatever happens during the call', () => {
  test('a number that another account has, or gets meanwhile, is not verified', async () => {
    const [who, owner] = [await open(), await open()]
    const claimed = await claim(who)
    const { body } = await claimed.verify()
    await assignNumber(service, claimed.number, owner.domain)
    answer(claimed, body.code)
    await expect.poll(claimed.outcome).toBe('taken')
    expect(await claimed.show()).toMatchObject({ verified: false })
    service.clock.advance(60)
    expect((await claimed.verify()).body.error.code).toBe('NUMBER_TAKEN')
  })

  test('a number that is given up is not verified', async () => {
    const who = await open()
    const claimed = await claim(who)
    const { body } = await claimed.verify()
    await service.api.delete(claimed.path, who)
    answer(claimed, body.code)
    const calls = () =>
      service.db.selectFrom('number_calls').select('outcome').where('number', '=', claimed.number)
    await expect.poll(async () => (await calls().execute())[0]?.outcome).toBe('verified')
    expect((await (await claim(who, claimed.number)).show()).verified).toBe(false)
  })

  test('a code that is typed while the database is away verifies the number when it is back', async () => {
    const claimed = await claim(await open())
    const { body } = await claimed.verify()
    const { show } = await hideDatabase(service.database.url)
    answer(claimed, body.code)
    await expect(claimed.show()).resolves.toHaveProperty('error')
    await show()
    await expect.poll(claimed.outcome).toBe('verified')
    expect(await claimed.show()).toMatchObject({ verified: true, proof: 'call' })
  })

  test('a call whose process died is ended by the sweep, which releases its credit', async () => {
    const who = await open()
    const before = await balance(who)
    const claimed = await claim(who)
    await claimed.verify()
    const sweep = () => service.tick('calls for numbers')
    await sweep()
    expect(await claimed.outcome()).toBeNull()
    expect(await findStrayReservations(service.db)).toEqual([])
    service.clock.advance(300)
    await sweep()
    expect(await claimed.outcome()).toBe('lost')
    expect(await balance(who)).toEqual(before)
    answer(claimed, claimed.ringing().code)
    service.clock.advance(31 * 86_400)
    await service.tick('old calls for numbers')
    const { db } = service
    expect(await db.selectFrom('number_calls').select('id').execute()).toEqual([])
    const kept = db.selectFrom('numbers').select('proof').where('number', '=', claimed.number)
    expect(await kept.execute()).toEqual([{ proof: null }])
  })
})

test('with the sandbox carrier a number is verified without a call, unless another account has it', async () => {
  const sandbox = await startVoiceService()
  try {
    const [first, second] = [await openOffice(sandbox), await openOffice(sandbox)]
    const verify = async (who: Who) => {
      const [number] = (await sandbox.api.get('/numbers', who)).body
      return await sandbox.api.post(`/numbers/${number.id}/verify`, undefined, who)
    }
    expect((await verify(second)).body.error.code).toBe('NUMBER_TAKEN')
    await releaseNumber(sandbox, '554833334444')
    expect((await verify(second)).body).toMatchObject({ code: null, number: { proof: 'sandbox' } })
    expect((await verify(first)).status).toBe(409)
    expect(sandbox.engine.codeCalls.requests()).toEqual([])
  } finally {
    await sandbox.stop()
  }
})
