/** Spec §4.5 and §2.4: extensions. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filter } from '../../helpers/service/client.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { storeRegistration } from '../../helpers/stored/fleet-rows.ts'
import { tablesWith } from '../../helpers/stored/secrets.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>
let numbers = 2000

beforeAll(async () => {
  service = await startService({ DATABASE_POOL: '10' })
  admin = await openAccount(service)
})
afterAll(() => service.stop())

const person = {
  senha: 's3nha-do-ramal',
  first_name: 'Ana',
  last_name: 'Souza',
  email_address: 'ana@padaria.example',
  gravar_audio: 1,
}
const newExtension = () => ({ ...person, ramal: String(numbers++) })
const create = (input: object, who: { token: string } = admin) =>
  service.api.post('/extensions', input, { token: who.token })
const next = (who: { token: string } = admin) =>
  service.api.post('/extensions/next-available', person, { token: who.token })

describe('POST /extensions', () => {
  test('answers the extension with all its fields (§2.4, D71)', async () => {
    const input = { ...newExtension(), bina: '+55 48 3333-4444' }
    const { status, body } = await create(input)
    expect(status).toBe(200)
    const unregistered = { registered: false, registered_at: null, user_agent: null, user_uuid: null }
    const added = { id: expect.any(Number), domain: admin.domain, bina_verified: true }
    expect(body).toEqual({ ...input, ...added, ...unregistered })
  })

  test('takes no bina for null', async () => {
    expect((await create(newExtension())).body.bina).toBeNull()
    expect((await create({ ...newExtension(), bina: '' })).body.bina).toBeNull()
  })

  test.each([
    [0, 0],
    [1, 1],
    [true, 1],
    [false, 0],
    [undefined, 0],
  ])('takes gravar_audio %s and shows %s (D72)', async (gravar_audio, shown) => {
    expect((await create({ ...newExtension(), gravar_audio })).body.gravar_audio).toBe(shown)
  })

  test.each([
    ['ramal', '1'],
    ['ramal', '1234567'],
    ['ramal', '10a0'],
    ['ramal', 1000],
    ['senha', '1234567'],
    ['senha', 'x'.repeat(65)],
    ['senha', 'line\nbreak!'],
    ['bina', '123'],
    ['first_name', ' '],
    ['last_name', ''],
    ['email_address', 'ana'],
    ['gravar_audio', 2],
  ])('refuses %s %j (D70, D73)', async (field, value) => {
    const { status, body } = await create({ ...newExtension(), [field]: value })
    expect(status).toBe(422)
    expect(Object.keys(body.error.details.codes)).toEqual([field])
  })

  test('names every missing field', async () => {
    const { body } = await create({})
    const missing = ['email_address', 'first_name', 'last_name', 'ramal', 'senha']
    expect(Object.keys(body.error.details.codes).sort()).toEqual(missing)
  })

  test('refuses a number that the account has, and not one that only another account has (D75)', async () => {
    const input = newExtension()
    await create(input)
    const again = await create(input)
    expect([again.status, again.body.error.details.codes]).toEqual([422, { ramal: ['uniqueness'] }])
    expect(again.body.error.message).toContain('already exists')
    expect((await create(input, await openAccount(service))).status).toBe(200)
  })

  test('is done once for one Idempotency-Key', async () => {
    const send = () =>
      service.api.post('/extensions/next-available', person, {
        token: admin.token,
        headers: { 'idempotency-key': 'ramal-da-ana' },
      })
    const [first, again] = [await send(), await send()]
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  test('is refused to a USER with 403', async () => {
    expect((await create(newExtension(), await addUser(service, admin))).status).toBe(403)
  })
})

describe('POST /extensions/next-available', () => {
  test('begins at 1000 and takes the lowest free number (D70)', async () => {
    const owner = await openAccount(service)
    const ramal = async () => (await next(owner)).body.ramal
    expect([await ramal(), await ramal(), await ramal()]).toEqual(['1000', '1001', '1002'])
    await create({ ...newExtension(), ramal: '1003' }, owner)
    await create({ ...newExtension(), ramal: '01004' }, owner)
    expect(await ramal()).toBe('1004')
    const [second] = (await service.api.get(`/extensions?${filter({ where: { ramal: '1001' } })}`, owner))
      .body
    await service.api.delete(`/extensions/${second.id}`, owner)
    expect(await ramal()).toBe('1001')
  })

  test('gives 200 different numbers to 200 requests at once', async () => {
    const owner = await openAccount(service)
    // On a slow machine the last ones wait longer for a connection than the service lets them: 503, try again.
    const nextRetried = async (): ReturnType<typeof next> => {
      const answer = await next(owner)
      return answer.status === 503 ? await nextRetried() : answer
    }
    const answers = await Promise.all(Array.from({ length: 200 }, nextRetried))
    const given = answers.map(({ body }) => Number(body.ramal)).sort((a, b) => a - b)
    expect(given).toEqual(Array.from({ length: 200 }, (_, index) => 1000 + index))
  })

  test('stays out of the way of numbers chosen at the same moment', async () => {
    const owner = await openAccount(service)
    const chosen = Array.from({ length: 10 }, (_, index) =>
      create({ ...newExtension(), ramal: `${1000 + index}` }, owner),
    )
    const answers = await Promise.all([...chosen, ...Array.from({ length: 10 }, () => next(owner))])
    const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.ramal)
    expect(new Set(made).size).toBe(made.length)
    expect(answers.every(({ status }) => status === 200 || status === 422)).toBe(true)
    expect(answers.slice(10).every(({ status }) => status === 200)).toBe(true)
  })
})

describe('PATCH /extensions (D74)', () => {
  test('with id changes just the fields sent', async () => {
    const { body: before } = await create(newExtension())
    const { status, body } = await service.api.patch(
      '/extensions',
      { id: before.id, first_name: 'Bia' },
      admin,
    )
    expect([status, body]).toEqual([200, { ...before, first_name: 'Bia' }])
    const asText = await service.api.patch('/extensions', { id: `${before.id}`, senha: 'outra-senha' }, admin)
    expect(asText.body).toEqual({ ...before, first_name: 'Bia', senha: 'outra-senha' })
  })

  test('without id creates', async () => {
    const input = newExtension()
    expect((await service.api.patch('/extensions', input, admin)).body).toMatchObject(input)
    const half = await service.api.patch('/extensions', { ramal: '4444' }, admin)
    expect(half.status).toBe(422)
    expect(Object.keys(half.body.error.details.codes).sort()).toEqual([
      'email_address',
      'first_name',
      'last_name',
      'senha',
    ])
  })

  test('does not find an unknown id, or one of another account', async () => {
    const stranger = await openAccount(service)
    const { body: mine } = await create(newExtension())
    for (const [id, who] of [
      [999_999, admin],
      [mine.id, stranger],
    ] as const) {
      const { status, body } = await service.api.patch('/extensions', { id, first_name: 'X' }, who)
      expect([status, body.error.code]).toEqual([404, 'EXTENSION_NOT_FOUND'])
    }
  })

  test.each([9223372036854776000, -1, 1.5, 'x', null])('refuses the id %j', async (id) => {
    expect((await service.api.patch('/extensions', { id, first_name: 'X' }, admin)).status).toBe(422)
  })

  test('refuses a number that is taken', async () => {
    const [{ body: one }, { body: other }] = [await create(newExtension()), await create(newExtension())]
    const { status, body } = await service.api.patch('/extensions', { id: one.id, ramal: other.ramal }, admin)
    expect([status, body.error.details.codes]).toEqual([422, { ramal: ['uniqueness'] }])
  })
})

describe('DELETE /extensions/{id} (D75)', () => {
  test('removes it once; another account cannot', async () => {
    const { body } = await create(newExtension())
    const stranger = await openAccount(service)
    expect((await service.api.delete(`/extensions/${body.id}`, stranger)).status).toBe(404)
    expect((await service.api.delete(`/extensions/${body.id}`, admin)).body).toEqual({ id: body.id })
    expect((await service.api.delete(`/extensions/${body.id}`, admin)).status).toBe(404)
    expect((await service.api.delete('/extensions/x', admin)).status).toBe(404)
  })
})

describe('GET /extensions', () => {
  test('answers an array, searched by number, names, e-mail and bina', async () => {
    const owner = await openAccount(service)
    await create({ ...newExtension(), ramal: '1000', first_name: 'Caio', bina: '1133334444' }, owner)
    await create({ ...newExtension(), ramal: '1001', last_name: 'Lima', email_address: 'x@y.example' }, owner)
    const ramais = async (where: object) =>
      (await service.api.get(`/extensions?${filter({ where })}`, owner)).body.map(
        ({ ramal }: { ramal: string }) => ramal,
      )
    expect(await ramais({})).toEqual(['1000', '1001'])
    expect(await ramais({ ramal: '1001' })).toEqual(['1001'])
    expect(await ramais({ first_name: 'Caio' })).toEqual(['1000'])
    expect(await ramais({ last_name: { like: 'Li' } })).toEqual(['1001'])
    expect(await ramais({ email_address: 'X@y.example' })).toEqual(['1001'])
    expect(await ramais({ bina: '1133334444' })).toEqual(['1000'])
    expect(await ramais({ bina: '+55 11 3333-4444' })).toEqual(['1000'])
    for (const recorded of [true, 1])
      expect(await ramais({ gravar_audio: recorded })).toEqual(['1000', '1001'])
    for (const not of [false, 0]) expect(await ramais({ gravar_audio: not })).toEqual([])
  })

  test('shows senha to an ADMIN, and to a USER only of the extension with their own e-mail (D71)', async () => {
    const owner = await openAccount(service)
    const agent = await addUser(service, owner)
    await create({ ...newExtension(), ramal: '1000', email_address: agent.email }, owner)
    await create({ ...newExtension(), ramal: '1001' }, owner)
    const senhas = async (who: { token: string }) =>
      (await service.api.get('/extensions', who)).body.map(({ senha }: { senha: string | null }) => senha)
    expect(await senhas(owner)).toEqual([person.senha, person.senha])
    expect(await senhas(agent)).toEqual([person.senha, null])
  })

  test.each([null, 0, ''])('id: %j creates, as no id does (D74)', async (id) => {
    const { status } = await service.api.patch('/extensions', { ...newExtension(), id }, admin)
    expect(status).toBe(200)
  })

  test('one by its id, with senha as in the list (D150)', async () => {
    const owner = await openAccount(service)
    const agent = await addUser(service, owner)
    const { body: made } = await create({ ...newExtension(), email_address: agent.email }, owner)
    const { body: other } = await create(newExtension(), owner)
    expect((await service.api.get(`/extensions/${made.id}`, owner)).body).toEqual(made)
    expect((await service.api.get(`/extensions/${made.id}`, agent)).body).toEqual(made)
    expect((await service.api.get(`/extensions/${other.id}`, agent)).body).toEqual({ ...other, senha: null })
    for (const id of [made.id, '0', 'x', '9'.repeat(16)]) {
      const { status, body } = await service.api.get(`/extensions/${id}`, admin)
      expect([status, body.error.code]).toEqual([404, 'EXTENSION_NOT_FOUND'])
    }
  })

  test('lets nobody search or sort by senha', async () => {
    for (const asked of [{ where: { senha: person.senha } }, { order: 'senha' }]) {
      expect((await service.api.get(`/extensions?${filter(asked)}`, admin)).status).toBe(400)
    }
  })

  test('never shows extensions of another account', async () => {
    const stranger = await openAccount(service)
    expect((await service.api.get('/extensions', stranger)).body).toEqual([])
  })
})

describe('the phone of an extension (D71)', () => {
  /** Stores a registration as the voice node does. */
  async function register(id: number, seconds = 600) {
    const now = service.clock.now()
    await storeRegistration(service.db, id, { at: now, seconds, userAgent: 'Linphone' })
    return { registered: true, registered_at: now.toISOString(), user_agent: 'Linphone' }
  }
  const unregistered = { registered: false, registered_at: null, user_agent: null }
  const shown = async (id: number) =>
    (await service.api.get(`/extensions?${filter({ where: { id } })}`, admin)).body[0]
  const change = async (patch: object) => (await service.api.patch('/extensions', patch, admin)).body

  test('is shown while it is registered', async () => {
    const { body: made } = await create(newExtension())
    const registered = await register(made.id)
    expect(await shown(made.id)).toEqual({ ...made, ...registered })
    service.clock.advance(600)
    expect(await shown(made.id)).toEqual(made)
  })

  test('can be selected, not searched', async () => {
    const asked = filter({ fields: ['ramal', 'registered'], limit: 1 })
    expect((await service.api.get(`/extensions?${asked}`, admin)).body[0]).toEqual({
      ramal: expect.any(String),
      registered: false,
    })
    const searched = filter({ where: { registered: true } })
    expect((await service.api.get(`/extensions?${searched}`, admin)).status).toBe(400)
  })

  test('stays when other fields change, or number and password are sent back as they were (D74)', async () => {
    const { body: made } = await create(newExtension())
    const registered = await register(made.id)
    expect(await change({ id: made.id, first_name: 'Bia' })).toMatchObject(registered)
    expect(await change({ ...made, bina: '1133334444' })).toMatchObject(registered)
    expect(await shown(made.id)).toMatchObject(registered)
  })

  test.each([
    ['ramal', '777001'],
    ['senha', 'uma-nova-senha'],
  ])('is gone when %s changes (D74)', async (field, value) => {
    const { body: made } = await create(newExtension())
    await register(made.id)
    expect(await change({ id: made.id, [field]: value })).toMatchObject(unregistered)
    expect(await shown(made.id)).toMatchObject(unregistered)
  })

  test('is no reason to keep an extension that is removed', async () => {
    const { body: made } = await create(newExtension())
    await register(made.id)
    expect((await service.api.delete(`/extensions/${made.id}`, admin)).status).toBe(200)
  })
})

test('senha is kept sealed, in kept answers too (D73)', async () => {
  const input = { ...newExtension(), senha: 'muito secreta!' }
  const headers = { 'idempotency-key': 'sealed' }
  await service.api.post('/extensions', input, { token: admin.token, headers })
  expect(await tablesWith(service.db, input.ramal)).toContain('extensions')
  expect(await tablesWith(service.db, 'muito secreta!')).toEqual([])
})
