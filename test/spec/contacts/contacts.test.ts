/** D596 to D598: contacts of an account. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filter } from '../../helpers/service/client.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

type Who = { token: string }
type Fields = { name: string; company?: string; numbers?: string[] }

async function open(contacts: Fields[] = []) {
  const admin = await openAccount(service)
  const ids: string[] = []
  for (const contact of contacts) {
    const { status, body } = await service.api.post('/contacts', contact, admin)
    expect([status, body.error]).toEqual([200, undefined])
    ids.push(body.id)
  }
  const list = async (query: string, who: Who = admin) =>
    (await service.api.get(`/contacts?${query}`, who)).body
  const names = async (query: string) =>
    (await list(query)).data.map(({ name }: { name: string }) => name) as string[]
  const load = (csv: string, preview: boolean, who: Who = admin) =>
    service.api.post('/contacts/import', { csv, preview }, who)
  return { admin, ids, list, names, load }
}

const carla = {
  name: 'Carla Dias',
  company: 'Mercado Dias',
  numbers: ['(48) 99999-8888', '+55 48 3333-4444'],
}

test('a contact is made, shown, changed and removed (D596)', async () => {
  const { admin, ids } = await open([carla])
  const path = `/contacts/${ids[0]}`
  const at = service.clock.now().toISOString()
  const shown = {
    id: ids[0],
    name: 'Carla Dias',
    company: 'Mercado Dias',
    numbers: ['5548999998888', '554833334444'],
    createdAt: at,
    updatedAt: at,
  }
  expect((await service.api.get(path, admin)).body).toEqual(shown)
  service.clock.advance(60)
  const changed = await service.api.patch(path, { numbers: ['554833335555'], name: ' Carla ' }, admin)
  const updatedAt = service.clock.now().toISOString()
  expect(changed.body).toEqual({ ...shown, name: 'Carla', numbers: ['554833335555'], updatedAt })
  expect((await service.api.delete(path, admin)).body).toEqual({ id: ids[0] })
  for (const answer of [
    await service.api.get(path, admin),
    await service.api.patch(path, { name: 'x' }, admin),
    await service.api.delete(path, admin),
    await service.api.get('/contacts/no-id', admin),
  ]) {
    expect([answer.status, answer.body.error.code]).toEqual([404, 'CONTACT_NOT_FOUND'])
  }
})

test('a contact with several mistakes is refused with all of them (D596)', async () => {
  const { admin, ids } = await open([carla, { name: 'Bruno' }])
  const wrong = { name: ' ', company: 'a\nb', numbers: ['12', ...carla.numbers] }
  for (const answer of [
    await service.api.post('/contacts', wrong, admin),
    await service.api.patch(`/contacts/${ids[1]}`, wrong, admin),
  ]) {
    expect([answer.status, answer.body.error.details.codes]).toEqual([
      422,
      { name: ['presence'], company: ['format'], numbers: ['format', 'uniqueness'] },
    ])
  }
})

test('a number belongs to one contact of the account, and each account has its own (D596)', async () => {
  const { admin, ids } = await open([carla, { name: 'Bruno' }])
  const again = { name: 'Davi', numbers: ['48 3333 4444'] }
  for (const answer of [
    await service.api.post('/contacts', again, admin),
    await service.api.patch(`/contacts/${ids[1]}`, again, admin),
  ]) {
    expect([answer.status, answer.body.error.details.codes]).toEqual([422, { numbers: ['uniqueness'] }])
  }
  const { admin: other } = await open([{ name: 'Carla of another account', numbers: carla.numbers }])
  expect((await service.api.get(`/contacts/${ids[0]}`, other)).status).toBe(404)
  expect((await service.api.patch(`/contacts/${ids[0]}`, { name: 'x' }, other)).status).toBe(404)
  expect((await service.api.delete(`/contacts/${ids[0]}`, other)).status).toBe(404)
  expect((await service.api.get('/contacts', other)).body.data).toHaveLength(1)
  expect((await service.api.get('/contacts', admin)).body.data).toHaveLength(2)
})

test('every user uses contacts; ADMINs remove and import them; a limited token needs the scope', async () => {
  const { admin, ids, load } = await open([carla])
  const user = await addUser(service, admin)
  const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status
  expect(await statusOf(service.api.post('/contacts', { name: 'Bruno' }, user))).toBe(200)
  expect(await statusOf(service.api.patch(`/contacts/${ids[0]}`, { company: '' }, user))).toBe(200)
  expect(await statusOf(service.api.get('/contacts', user))).toBe(200)
  expect(await statusOf(service.api.delete(`/contacts/${ids[0]}`, user))).toBe(403)
  expect(await statusOf(load('name,phone\nA,554833330001', true, user))).toBe(403)
  const withScope = async (scope: string) => {
    const { body } = await service.api.post('/users/accessTokens', { ttl: 3600, scopes: [scope] }, admin)
    return { token: String(body.id) }
  }
  expect(await statusOf(service.api.get('/contacts', await withScope('contacts')))).toBe(200)
  const refused = await service.api.get('/contacts', await withScope('calls:read'))
  expect([refused.status, refused.body.error.code]).toEqual([403, 'SCOPE_REQUIRED'])
  expect((await service.api.get('/contacts')).status).toBe(401)
})

test('requests are counted as those of other routes', async () => {
  const limited = await startService({ RATE_LIMITS: 'on' })
  const { headers } = await limited.api.get('/contacts', await openAccount(limited))
  expect(headers.get('ratelimit-limit')).toBe('60')
  await limited.stop()
})

test('contacts are found by name, company and number, without regard to case and accents (D597)', async () => {
  const { names, list } = await open([
    carla,
    { name: 'João Açaí', company: 'Padaria', numbers: ['+55 11 98888-7777'] },
    { name: 'Ana', company: 'Dias & Filhos' },
  ])
  expect(await names('search=joao')).toEqual(['João Açaí'])
  expect(await names('search=DIAS')).toEqual(['Ana', 'Carla Dias'])
  expect(await names('search=dias%20carla')).toEqual(['Carla Dias'])
  expect(await names(`search=${encodeURIComponent('(48) 9999')}`)).toEqual(['Carla Dias'])
  expect(await names('search=100%25')).toEqual([])
  expect(await names(filter({ where: { numbers: '+55 48 3333-4444' } }))).toEqual(['Carla Dias'])
  expect(await names(filter({ where: { numbers: null } }))).toEqual(['Ana'])
  expect(await names(`search=dias&${filter({ where: { company: { like: 'Mercado%' } } })}`)).toEqual([
    'Carla Dias',
  ])
  expect((await list(`search=${'x'.repeat(101)}`)).error.code).toBe('INVALID_PARAMETER_VALUE')
})

test('contacts come in pages by name, and as a file', async () => {
  const { list, admin } = await open(['b', 'a', 'c'].map((name) => ({ name, numbers: [] })))
  const first = await list(`page=1&${filter({ limit: 2, fields: ['name'] })}`)
  expect(first.data).toEqual([{ name: 'a' }, { name: 'b' }])
  expect(first.meta).toMatchObject({ totalItemCount: 3, totalPageCount: 2, nextPage: 2 })
  const next = await list(`cursor=${first.meta.nextCursor}&${filter({ limit: 2, fields: ['name'] })}`)
  expect(next.data).toEqual([{ name: 'c' }])
  await service.api.post('/contacts', { ...carla, company: '=1+1' }, admin)
  const { body } = await service.api.get('/contacts?format=csv&search=carla', admin)
  const [titles, line] = String(body).split('\r\n')
  expect(titles).toBe('id,name,company,numbers,createdAt,updatedAt')
  expect(line).toContain(`,Carla Dias,'=1+1,"5548999998888, 554833334444",`)
})

const file = [
  'Nome;Empresa;Telefone;Celular',
  'Carla D.;;(48) 3333-4444;48 98888-0001',
  'Bruno;Padaria;48 98888-0002;',
  ';Só empresa;48 98888-0003;',
  'Sem número;;;',
  'Errado;;123;',
  'Repetido;;48 98888-0002;',
  ';;48 98888-0004;',
  '',
].join('\r\n')

test('a preview says of each line what would happen, and stores nothing; the import does it (D598)', async () => {
  const { admin, load, list } = await open([carla])
  const preview = await load(file, true)
  const { lines, ...counts } = preview.body
  expect(counts).toEqual({ preview: true, created: 2, updated: 1, same: 0, refused: 4 })
  type Line = { line: number; action: string; problem?: string; value?: string }
  expect(lines.map(({ line, action, problem, value }: Line) => [line, action, problem, value])).toEqual([
    [2, 'update', undefined, undefined],
    [3, 'create', undefined, undefined],
    [4, 'create', undefined, undefined],
    [5, 'refuse', 'no-number', undefined],
    [6, 'refuse', 'invalid-number', '123'],
    [7, 'refuse', 'repeated-number', '5548988880002'],
    [8, 'refuse', 'no-name', undefined],
  ])
  expect((await list('')).meta.totalItemCount).toBe(1)
  const done = await load(file, false)
  expect(done.body).toEqual({ ...preview.body, preview: false })
  const shown = (await list(filter({ fields: ['name', 'company', 'numbers'] }))).data
  expect(shown).toEqual([
    { name: 'Bruno', company: 'Padaria', numbers: ['5548988880002'] },
    {
      name: 'Carla D.',
      company: 'Mercado Dias',
      numbers: ['5548999998888', '554833334444', '5548988880001'],
    },
    { name: 'Só empresa', company: 'Só empresa', numbers: ['5548988880003'] },
  ])
  expect((await load(file, false)).body).toMatchObject({ created: 0, updated: 0, same: 3, refused: 4 })
  const { body: exported } = await service.api.get('/contacts?format=csv', admin)
  expect((await load(exported, false)).body).toMatchObject({ created: 0, updated: 0, same: 3, refused: 0 })
})

test('a file without columns for names and numbers is refused, and so is one of too many lines', async () => {
  const { load } = await open()
  const many = `name,phone\n${'A,48988880001\n'.repeat(5001)}`
  for (const [csv, code] of [
    ['a,b\nc,d', 'format'],
    ['', 'format'],
    [many, 'length'],
  ] as const) {
    const { status, body } = await load(csv, true)
    expect([status, body.error.details.codes]).toEqual([422, { csv: [code] }])
  }
})

test('five thousand lines are imported at once', async () => {
  const { load, list } = await open()
  const lines = Array.from({ length: 5000 }, (_, n) => `Pessoa ${n},48 9${String(80_000_000 + n)}`)
  expect((await load(`name,phone\n${lines.join('\n')}`, false)).body).toMatchObject({
    created: 5000,
    refused: 0,
  })
  expect((await list('search=pessoa%204999')).meta.totalItemCount).toBe(1)
})

test('two who add the same number at once: one has it', async () => {
  const { admin } = await open()
  const answers = await Promise.all(
    ['A', 'B', 'C'].map((name) => service.api.post('/contacts', { name, numbers: ['4833330009'] }, admin)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
})
