/** Numbers of an account: claimed by what is entered as bina, verified by a proof (D187). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assignNumber, releaseNumber } from '../../helpers/service/operator.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

const trunk = { name: 'main', address: 'sip:127.0.0.1:9', qualifySeconds: 0, callerId: '551130001000' }

let service: VoiceService
let office: Office

beforeAll(async () => {
  service = await startVoiceService({ TRUNKS: JSON.stringify([trunk]) })
  office = await openOffice(service)
})
afterAll(() => service.stop())

type Who = { token: string }

const claim = (number: unknown, who: Who = office) => service.api.post('/numbers', { number }, who)
const list = async (who: Who = office) => (await service.api.get('/numbers', who)).body
const fromCarrier = (dialled: string) => ({ from: { trunk: 'main', callerId: undefined }, dialled })
const audited = async (who: Who = office) => {
  const { body } = await service.api.get('/accounts/audit?page=1', who)
  return body.data.map(({ action, subject }: { action: string; subject: string }) => `${action} ${subject}`)
}

describe('a bina', () => {
  test('is kept as it was sent, and is a number of the account that is not verified', async () => {
    const [extension] = (await service.api.get('/extensions', office)).body
    expect(extension).toMatchObject({ bina: '+55 48 3333-4444', bina_verified: false })
    expect(await list()).toEqual([
      {
        id: expect.any(Number),
        number: '554833334444',
        verified: false,
        proof: null,
        verifiedAt: null,
        lastCall: null,
        createdAt: expect.any(String),
      },
    ])
  })

  test('that is replaced, or whose extension is removed, is forgotten unless it is verified', async () => {
    const who = await openAccount(service as never)
    const person = {
      senha: 's3nha-do-ramal',
      first_name: 'Ana',
      last_name: 'Souza',
      email_address: who.email,
    }
    const { body: made } = await service.api.post(
      '/extensions',
      { ...person, ramal: '1000', bina: '1133330001' },
      who,
    )
    const numbers = async () => (await list(who)).map(({ number }: { number: string }) => number)
    expect(await numbers()).toEqual(['551133330001'])
    await service.api.patch('/extensions', { id: made.id, bina: '1133330002' }, who)
    expect(await numbers()).toEqual(['551133330002'])
    await assignNumber(service, '551133330002', who.domain)
    await service.api.patch('/extensions', { id: made.id, bina: '1133330003' }, who)
    expect(await numbers()).toEqual(['551133330002', '551133330003'])
    await service.api.delete(`/extensions/${made.id}`, who)
    expect(await numbers()).toEqual(['551133330002'])
  })
})

test('accounts that exchange their numbers at the same moment do not wait for each other for ever', async () => {
  const offices = [await openOffice(service), await openOffice(service)]
  const ids = await Promise.all(
    offices.map(async (who) => (await service.api.get('/extensions', who)).body[0].id),
  )
  const change = (who: number, bina: string) =>
    service.api.patch('/extensions', { id: ids[who], bina }, offices[who])
  for (let round = 0; round < 10; round += 1) {
    const [first = '', second = ''] = round % 2 ? ['1133331111', '1133332222'] : ['1133332222', '1133331111']
    const answers = await Promise.all([change(0, first), change(1, second)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  }
})

describe('POST /numbers', () => {
  test('claims a number in any notation, once', async () => {
    const first = await claim('(48) 3222-1000')
    expect(first.body).toMatchObject({ number: '554832221000', verified: false })
    expect((await claim('+554832221000')).body).toEqual(first.body)
    expect((await audited()).filter((line: string) => line === 'number.claimed 554832221000')).toHaveLength(1)
  })

  test.each(['123', '', '0900 123456', 7])('refuses %j', async (number) => {
    const { status, body } = await claim(number)
    expect(status).toBe(422)
    expect(Object.keys(body.error.details.codes)).toEqual(['number'])
  })

  test('takes a number that another account has claimed too', async () => {
    expect((await claim('4832221000', await openAccount(service as never))).status).toBe(200)
  })

  test('is refused to a USER, as all routes of numbers', async () => {
    const agent = await addUser(service as never, office)
    expect((await claim('4832221001', agent)).status).toBe(403)
    expect((await service.api.get('/numbers', agent)).status).toBe(403)
  })
})

describe('GET and DELETE /numbers/{id}', () => {
  test('show and give up a number of the account, and no other', async () => {
    const { body } = await claim('4832221002')
    const stranger = await openAccount(service as never)
    const path = `/numbers/${body.id}`
    expect((await service.api.get(path, office)).body).toEqual(body)
    expect((await service.api.get(path, stranger)).status).toBe(404)
    expect((await service.api.delete(path, stranger)).status).toBe(404)
    expect((await service.api.delete(path, office)).body).toEqual({ id: body.id })
    expect((await service.api.get(path, office)).body.error.code).toBe('NUMBER_NOT_FOUND')
    expect((await service.api.get('/numbers/x', office)).status).toBe(404)
    expect(await audited()).toContain('number.removed 554832221002')
  })

  test('refuse to give up what an extension has as its bina', async () => {
    const found = await service.api.get(
      `/numbers?filter=${encodeURIComponent('{"where":{"number":"+55 48 3333-4444"}}')}`,
      office,
    )
    const { status, body } = await service.api.delete(`/numbers/${found.body[0].id}`, office)
    expect([status, body.error.code]).toEqual([409, 'NUMBER_IN_USE'])
  })
})

describe('a number that the operator assigned (D189)', () => {
  test('is presented, and rings the extensions of its account', async () => {
    expect(await assignNumber(service, '554833334444', office.domain)).toBe('assigned')
    const [extension] = (await service.api.get('/extensions', office)).body
    expect(extension.bina_verified).toBe(true)
    await service.api.post('/calls', { extension: '1000', called: '48999990001' }, office)
    expect(service.engine.requests().at(-1)?.presented).toEqual({ number: '554833334444' })
    expect(await service.engine.receive(fromCarrier('554833334444'))).toMatchObject({
      destination: { extension: office.extension('1000') },
    })
    expect(await audited()).toContain('number.assigned 554833334444')
  })

  test('is not given to a second account, until it is released', async () => {
    const other = await openAccount(service as never)
    expect(await assignNumber(service, '554833334444', other.domain)).toEqual({ heldBy: office.domain })
    expect(await releaseNumber(service, '554833334444')).toBe(office.domain)
    expect(await releaseNumber(service, '554833334444')).toBeUndefined()
    expect(await service.engine.receive(fromCarrier('554833334444'))).toEqual({
      rejected: 'UNALLOCATED_NUMBER',
    })
    expect(await assignNumber(service, '554833334444', other.domain)).toBe('assigned')
    expect(await assignNumber(service, '554833334444', 'nobody.ramal.localhost')).toBe('no account')
  })
})

describe('with the sandbox carrier (D187)', () => {
  test('numbers verify themselves for the first account that claims them', async () => {
    const sandbox = await startVoiceService()
    try {
      const first = await openOffice(sandbox)
      const second = await openOffice(sandbox)
      const proofs = async (who: Who) => (await sandbox.api.get('/numbers', who)).body
      expect(await proofs(first)).toMatchObject([{ verified: true, proof: 'sandbox' }])
      expect(await proofs(second)).toMatchObject([{ verified: false, proof: null }])
    } finally {
      await sandbox.stop()
    }
  })

  test('what verified itself does not count once there is a trunk, and gives way to another proof', async () => {
    const number = '554832223000'
    const other = await openOffice(service, { bina: number })
    await service.db
      .updateTable('numbers')
      .set({ proof: 'sandbox', verified_at: service.clock.now() })
      .where('number', '=', number)
      .execute()
    expect(await list(other)).toMatchObject([{ verified: false, proof: null, verifiedAt: null }])
    await service.api.post('/calls', { extension: '1000', called: '48999990001' }, other)
    expect(service.engine.requests().at(-1)?.presented).toBeUndefined()
    expect(await service.engine.receive(fromCarrier(number))).toEqual({ rejected: 'UNALLOCATED_NUMBER' })
    expect(await assignNumber(service, number, office.domain)).toBe('assigned')
  })
})
