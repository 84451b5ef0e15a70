/** D212: what grows with use is removed after its time, in small batches. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOfMonth } from '../../../src/kit/text/months.ts'
import { days } from '../../helpers/run/test-clock.ts'
import { accountIdOf } from '../../helpers/service/call-rows.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { countRows } from '../../helpers/stored/row-counts.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ AUDIT_DAYS: '30', IDEMPOTENCY_HOURS: '2' })
})
afterAll(() => service.stop())

const count = (table: 'audit' | 'idempotency_keys' | 'attempts' | 'mails') => countRows(service.db, table)

test('entries of the audit log are removed with their month, AUDIT_DAYS after its end, and younger ones stay (D254)', async () => {
  const admin = await openAccount(service)
  const account_id = await accountIdOf(service.db, admin.domain)
  // By the clock of the database: a month goes when 30 days have passed since its end.
  const youngest = startOfMonth(new Date(Date.now() - 30 * days * 1000))
  const old = { account_id, at: new Date(youngest.getTime() - 1), actor: null, details: '{}' }
  const entry = { ...old, action: 'login.failed' }
  for (let batch = 0; batch < 3; batch++) {
    await service.db.insertInto('audit').values(Array(1_000).fill(entry)).execute()
  }
  const kept = { ...old, action: 'login.blocked', at: youngest }
  await service.db.insertInto('audit').values(kept).execute()
  const before = await count('audit')
  service.clock.shift(-400 * days)
  await service.tick('old audit entries')
  service.clock.shift(400 * days)
  expect(await count('audit')).toBe(before - 3_000)
})

test('an answer is repeated for IDEMPOTENCY_HOURS (D18), then removed; so are attempts that ended', async () => {
  const admin = await openAccount(service)
  const bia = { name: 'Bia', email: 'bia@idem.example', password: 'another password', phone: '48999998888' }
  const add = () =>
    service.api.post('/users', { ...bia, role: 'USER' }, { ...admin, headers: { 'idempotency-key': 'bia' } })
  expect((await add()).status).toBe(200)
  await service.api.post('/users/login', { email: 'nobody@idem.example', password: 'wrong password' })
  expect(await count('attempts')).toBeGreaterThan(0)
  service.clock.advance(7_100)
  await service.tick('old idempotency keys')
  expect((await add()).headers.get('idempotent-replayed')).toBe('true')
  service.clock.advance(101)
  await service.tick('old idempotency keys')
  expect(await count('idempotency_keys')).toBe(0)
  expect((await add()).status, 'the e-mail is taken').toBe(422)
  service.clock.advance(1 * days)
  await service.tick('old attempts')
  expect(await count('attempts')).toBe(0)
})

test('D660: the SIP messages of calls are removed after three days, in batches; younger ones stay', async () => {
  const now = service.clock.now().getTime()
  const row = { node: 'node', messages: Buffer.from('packed') }
  const trace = (hours: number) => ({
    ...row,
    call_id: crypto.randomUUID(),
    stored_at: new Date(now - hours * 3_600_000),
  })
  await service.db
    .insertInto('sip_traces')
    .values([...Array.from({ length: 2_500 }, () => trace(73)), trace(71)])
    .execute()
  await service.tick('old SIP messages')
  expect(await countRows(service.db, 'sip_traces')).toBe(1)
  service.clock.advance(2 * 3_600)
  await service.tick('old SIP messages')
  expect(await countRows(service.db, 'sip_traces')).toBe(0)
})
