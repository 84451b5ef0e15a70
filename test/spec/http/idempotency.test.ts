/** D18: a request sent again with the same Idempotency-Key does nothing twice. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hours } from '../../helpers/run/test-clock.ts'
import { addUser, newUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { removeUser } from '../../helpers/stored/people-rows.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>
let keys = 0

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
})
afterAll(() => service.stop())

const newKey = () => `key ${keys++}`
const create = (input: object, key: string, who: { token: string } = admin) =>
  service.api.post('/users', input, { token: who.token, headers: { 'idempotency-key': key } })
const keyRows = (key: string) => service.db.updateTable('idempotency_keys').where('key', '=', key)

test('the same key and body are answered the stored answer again, marked as replayed', async () => {
  const [input, key] = [newUser(), newKey()]
  const first = await create(input, key)
  const again = await create(input, key)
  expect(first.status).toBe(200)
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect([again.status, again.body]).toEqual([200, first.body])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
})

test('the order of keys in the body, and quotes around the key, make no difference', async () => {
  const [input, key] = [newUser(), newKey()]
  await create(input, key)
  const reordered = Object.fromEntries(Object.entries(input).reverse())
  expect((await create(reordered, `"${key}"`)).headers.get('idempotent-replayed')).toBe('true')
})

test('another body with the same key is refused with 422', async () => {
  const key = newKey()
  await create(newUser(), key)
  const { status, body } = await create(newUser(), key)
  expect([status, body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
})

test('of many at once one is done, the others wait their turn with 409 or get its answer', async () => {
  const [input, key] = [newUser(), newKey()]
  const answers = await Promise.all(Array.from({ length: 6 }, () => create(input, key)))
  const done = answers.filter(({ status }) => status === 200)
  expect(done.length).toBeGreaterThan(0)
  expect(new Set(done.map(({ body }) => body.uuid)).size).toBe(1)
  for (const { status, body } of answers.filter((answer) => !done.includes(answer))) {
    expect([status, body.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE'])
  }
})

test('a refusal by rule is answered again too', async () => {
  const [input, key] = [{ ...newUser(), email: admin.email }, newKey()]
  const first = await create(input, key)
  expect(first.status).toBe(422)
  const again = await create(input, key)
  expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
    422,
    first.body,
    'true',
  ])
})

test('a key belongs to one user', async () => {
  const key = newKey()
  const other = await addUser(service, admin, 'ADMIN')
  await create(newUser(), key)
  expect((await create(newUser(), key, other)).status).toBe(200)
})

test('a key is forgotten after 24 hours', async () => {
  const key = newKey()
  await create(newUser(), key)
  service.clock.advance(24 * hours)
  expect((await create(newUser(), key)).status).toBe(200)
})

test('a request whose process died before it was done is taken over when its lease has run out', async () => {
  const [input, key] = [newUser(), newKey()]
  await create(input, key)
  await removeUser(service.db, input.email)
  await keyRows(key).set({ status: null, answer: null }).execute()
  expect((await create(input, key)).status).toBe(409)
  service.clock.advance(60)
  expect((await create(input, key)).status).toBe(200)
})

test('the response is stored in the transaction of its change, or neither is stored', async () => {
  const key = newKey()
  const { services } = service.app
  const begun = await services.base.idempotency.begin({
    userId: await userId(),
    route: 'POST /users',
    key,
    fingerprint: Buffer.from('first'),
  })
  if (!('claim' in begun)) throw new Error('the key is new')
  service.clock.advance(61)
  const takenOver = await services.base.idempotency.begin({
    userId: await userId(),
    route: 'POST /users',
    key,
    fingerprint: Buffer.from('first'),
  })
  expect('claim' in takenOver).toBe(true)
  const tooLate = service.db.transaction().execute(async (tx) => {
    await tx.updateTable('accounts').set({ name: 'done twice' }).execute()
    await begun.claim.saveAnswer(tx, { status: 200, body: {} })
  })
  await expect(tooLate).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE' })
  expect((await service.api.get('/accounts', admin)).body.name).not.toBe('done twice')
})

test.each(['', 'x'.repeat(256), '☎'])('the key %j is refused with 400', async (key) => {
  const bytes = Buffer.from(key).toString('latin1')
  expect((await create(newUser(), bytes)).status).toBe(400)
})

async function userId(): Promise<number> {
  const row = await service.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', admin.email)
    .executeTakeFirstOrThrow()
  return row.id
}
