/** How tokens come and go, where other tests do not look: races, what the audit log says, and what is swept. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUser, openAccount, password } from '../../../test/helpers/service/people.ts'
import { type Service, startService } from '../../../test/helpers/service/service.ts'
import { countRows } from '../../../test/helpers/stored/row-counts.ts'
import { selectTokensOfAccount } from './tokens-store.ts'

const path = '/users/accessTokens'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
})
afterAll(() => service.stop())

const make = async (wanted: object, maker: { token: string }) =>
  (await service.api.post(path, wanted, maker)).body

const rowOf = (token: string) =>
  service.db
    .selectFrom('access_tokens')
    .selectAll()
    .where('last_four', '=', token.slice(-4))
    .executeTakeFirstOrThrow()

async function newestAudit(actor: string) {
  const { body } = await service.api.get('/accounts/audit?page=1', admin)
  return body.data.find((entry: { actor: string }) => entry.actor === actor)
}

test('a token that is deleted while a request with it runs makes no other one', async () => {
  const agent = await addUser(service, admin)
  await service.api.get('/users/me', agent)
  const { ref } = await rowOf(agent.token)
  // Without a notice: the process has found the caller already.
  await service.db.deleteFrom('access_tokens').where('ref', '=', ref).execute()
  const { status, body } = await service.api.post(path, {}, agent)
  expect([status, body.error.code]).toEqual([401, 'INVALID_TOKEN'])
})

test('a USER may name itself, and nobody else', async () => {
  const agent = await addUser(service, admin)
  const other = await addUser(service, admin)
  expect((await service.api.get(`${path}?user=${agent.uuid}`, agent)).body).toHaveLength(1)
  expect((await service.api.get(`${path}?user=${other.uuid}`, agent)).status).toBe(403)
})

test('a login that never ends makes a token that never ends, without the password again (D491)', async () => {
  const { email } = await addUser(service, admin)
  const { body } = await service.api.post('/users/login', { email, password, ttl: -1 })
  expect((await make({ ttl: -1 }, { token: body.id })).ttl).toBe(-1)
  // One that a token made is no login.
  const made = await make({ ttl: 60 }, { token: body.id })
  const refused = await service.api.post(path, { ttl: -1 }, { token: made.id })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
  expect(refused.body.error.message).toContain('ends earlier')
})

describe('the audit log', () => {
  test('names a token by its last four characters when it is made and when it is revoked', async () => {
    const agent = await addUser(service, admin, 'ADMIN')
    const { id } = await make({ name: 'CRM' }, agent)
    const details = { lastFour: id.slice(-4) }
    expect(await newestAudit(agent.email)).toMatchObject({ action: 'token.created', details })
    const { ref } = await rowOf(id)
    await service.api.delete(`${path}/${ref}`, agent)
    expect(await newestAudit(agent.email)).toMatchObject({
      action: 'token.revoked',
      subject: agent.email,
      details,
    })
  })

  test('counts the tokens that are revoked at once', async () => {
    const agent = await addUser(service, admin, 'ADMIN')
    await make({}, agent)
    await make({}, agent)
    expect((await service.api.delete(path, agent)).status).toBe(200)
    expect(await newestAudit(agent.email)).toMatchObject({ action: 'token.revoked', details: { tokens: 2 } })
    expect((await service.api.head(path, agent)).status).toBe(200)
  })
})

test('expired tokens are swept, others stay', async () => {
  const agent = await addUser(service, admin)
  await make({ ttl: 60 }, agent)
  const { user_id } = await rowOf(agent.token)
  service.clock.advance(59)
  await service.tick('old tokens')
  expect(await countRows(service.db, 'access_tokens', { user_id })).toBe(2)
  service.clock.advance(2)
  await service.tick('old tokens')
  expect(await countRows(service.db, 'access_tokens', { user_id })).toBe(1)
})

test('when a token was last used is written once for each use', async () => {
  const agent = await addUser(service, admin)
  await service.api.get('/users/me', agent)
  await service.tick('last use of tokens')
  const { ref, last_used_at, last_used_address } = await rowOf(agent.token)
  expect([last_used_at, last_used_address]).toEqual([service.clock.now(), '127.0.0.1'])
  await service.db
    .updateTable('access_tokens')
    .set({ last_used_address: '192.0.2.1' })
    .where('ref', '=', ref)
    .execute()
  await service.tick('last use of tokens')
  expect((await rowOf(agent.token)).last_used_address).toBe('192.0.2.1')
})

test('the tokens of an account are those of its users that have not expired, the last used first', async () => {
  const owner = await openAccount(service)
  const agent = await addUser(service, owner)
  await service.tick('last use of tokens')
  const unused = await make({ name: 'unused' }, owner)
  await make({ name: 'short', ttl: 1 }, owner)
  service.clock.advance(1)
  await service.api.get('/users/me', agent)
  await service.tick('last use of tokens')
  const { account_id } = await service.db
    .selectFrom('users')
    .select('account_id')
    .where('email', '=', owner.email)
    .executeTakeFirstOrThrow()
  const listed = (max: number) => selectTokensOfAccount(service.db, account_id, service.clock.now(), max)
  const tokens = await listed(10)
  expect(tokens.map(({ email, name }) => [email, name])).toEqual([
    [agent.email, null],
    [owner.email, null],
    [owner.email, 'unused'],
  ])
  expect(tokens[0]).toMatchObject({
    kind: 'token',
    last_four: agent.token.slice(-4),
    last_used_at: service.clock.now(),
    last_used_address: '127.0.0.1',
  })
  expect(tokens[2]).toMatchObject({ last_four: unused.id.slice(-4), last_used_at: null })
  expect(await listed(1)).toEqual(tokens.slice(0, 1))
})
