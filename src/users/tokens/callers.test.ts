import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUser, openAccount } from '../../../test/helpers/service/people.ts'
import { type Service, startService } from '../../../test/helpers/service/service.ts'
import { createLog } from '../../kit/process/log.ts'
import { createNotices } from '../../store/notices/notices.ts'
import { createCallers } from './callers.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>
let names = 0

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
})
afterAll(() => service.stop())

/** Behaves like another process: it has its own cache and its own connection for notices. */
async function startOther() {
  const notices = createNotices({ connectionString: service.database.url }, createLog('silent'))
  const callers = createCallers({ db: service.db, clock: service.clock, notices })
  await notices.connect()
  const nameOf = async (token: string) => (await callers.find(token))?.user.name
  return { callers, notices, nameOf }
}

/** Changes the name without a notice: a process that still has the old name did not read the database. */
async function renameSecretly(email: string): Promise<string> {
  names += 1
  const name = `Secret ${names}`
  await service.db.updateTable('users').set({ name }).where('email', '=', email).execute()
  return name
}

describe('a caller (D64)', () => {
  test('is cached, for a minute at most', async () => {
    const other = await startOther()
    const before = await other.nameOf(admin.token)
    const after = await renameSecretly(admin.email)
    expect(await other.nameOf(admin.token)).toBe(before)
    service.clock.advance(60)
    expect(await other.nameOf(admin.token)).toBe(after)
    await other.notices.stop()
  })

  test('is dropped by other processes soon after one of them changed the user or a token', async () => {
    const agent = await addUser(service, admin)
    const other = await startOther()
    expect((await other.callers.find(agent.token))?.user.role).toBe('USER')
    await service.api.patch('/users', { uuid: agent.uuid, role: 'ADMIN' }, admin)
    await expect.poll(async () => (await other.callers.find(agent.token))?.user.role).toBe('ADMIN')
    const [{ ref }] = (await service.api.get('/users/accessTokens', agent)).body
    await service.api.delete(`/users/accessTokens/${ref}`, agent)
    await expect.poll(() => other.callers.find(agent.token)).toBeUndefined()
    await other.notices.stop()
  })

  test('that another process changed is announced to those who watch it', async () => {
    const agent = await addUser(service, admin)
    const other = await startOther()
    const changed: number[] = []
    other.callers.onChanged((userId) => changed.push(userId))
    const [{ ref }] = (await service.api.get('/users/accessTokens', agent)).body
    await service.api.delete(`/users/accessTokens/${ref}`, agent)
    const { id } = await service.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', agent.email)
      .executeTakeFirstOrThrow()
    await expect.poll(() => changed).toContain(id)
    await other.notices.stop()
  })

  test('is not cached while notices of changes may be missed', async () => {
    const other = await startOther()
    await other.nameOf(admin.token)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'ramal % notices'`.execute(service.db)
    await expect.poll(() => other.notices.connected()).toBe(false)
    for (let n = 0; n < 2; n += 1) {
      const name = await renameSecretly(admin.email)
      expect(await other.nameOf(admin.token)).toBe(name)
    }
    await expect.poll(() => other.notices.connected()).toBe(true)
    await other.notices.stop()
  })

  test('is not cached if a change was announced while it was read', async () => {
    const other = await startOther()
    const looking = other.nameOf(admin.token)
    other.callers.forget(0)
    await looking
    const after = await renameSecretly(admin.email)
    expect(await other.nameOf(admin.token)).toBe(after)
    await other.notices.stop()
  })
})
