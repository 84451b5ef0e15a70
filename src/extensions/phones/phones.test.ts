import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccount } from '../../../test/helpers/service/people.ts'
import { type Service, startService } from '../../../test/helpers/service/service.ts'
import { createFakeEngine, type FakeEngine } from '../../engine/fake.ts'
import type { ExtensionName } from '../../engine/port.ts'
import { createLog } from '../../kit/process/log.ts'
import { createNotices } from '../../store/notices/notices.ts'
import { createSecretKeys } from '../../store/secrets/key-files.ts'
import { openVault } from '../../store/secrets/open-vault.ts'
import { createPhones } from './phones.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>
let numbers = 3000

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
})
afterAll(() => service.stop())

const person = { first_name: 'Ana', last_name: 'Souza', email_address: 'ana@padaria.example' }

async function addExtension(senha = 'first password') {
  numbers += 1
  const input = { ...person, ramal: String(numbers), senha }
  const { body } = await service.api.post('/extensions', input, admin)
  return { id: Number(body.id), name: { domain: admin.domain, number: input.ramal } }
}

/** A second process on the same database. */
async function startNode() {
  const notices = createNotices({ connectionString: service.database.url }, createLog('silent'))
  const vault = await openVault(service.db, createSecretKeys({ dataDir: service.dataDir }))
  const phones = createPhones({ db: service.db, clock: service.clock, vault, notices })
  const ended: ExtensionName[] = []
  phones.onChanged((extension) => ended.push(extension))
  await notices.connect()
  const passwordOf = async (name: ExtensionName) => (await phones.credentials(name))?.password
  return { phones, notices, ended, passwordOf, stop: notices.stop }
}

const change = (patch: object) => service.api.patch('/extensions', patch, admin)

/** Behind everyone's back: who still knows the extension did not ask the database. */
const removeSecretly = (id: number) => service.db.deleteFrom('extensions').where('id', '=', id).execute()

test('changes of any number of extensions reach the other processes: a notice has 8000 bytes at most', async () => {
  const [one, other] = [await startNode(), await startNode()]
  const names = Array.from({ length: 300 }, (_, index) => ({
    domain: admin.domain,
    number: `${50_000 + index}`,
  }))
  await service.db.transaction().execute((tx) => one.phones.announce(tx, names))
  await expect.poll(() => other.ended).toEqual(names)
  await one.stop()
  await other.stop()
})

describe('the password of a phone', () => {
  test('is remembered, and then known at once, for ten minutes at most', async () => {
    const node = await startNode()
    const { id, name } = await addExtension()
    await expect.poll(() => node.ended).toContainEqual(name)
    expect(await node.phones.credentials(name)).toEqual({ password: 'first password' })
    await removeSecretly(id)
    expect(node.phones.credentials(name)).toEqual({ password: 'first password' })
    service.clock.advance(600)
    expect(await node.phones.credentials(name)).toBeUndefined()
    await node.stop()
  })

  test('is forgotten a moment after another process changed it, and the registration ended (D74)', async () => {
    const node = await startNode()
    const { id, name } = await addExtension()
    await expect.poll(() => node.ended.splice(0)).toEqual([name])
    await node.passwordOf(name)
    await change({ id, senha: 'second password' })
    await expect.poll(() => node.ended.splice(0)).toEqual([name])
    expect(await node.passwordOf(name)).toBe('second password')
    const moved = { ...name, number: `${Number(name.number) + 5000}` }
    await change({ id, ramal: moved.number })
    await expect.poll(() => node.ended.splice(0)).toEqual([name, moved])
    expect(await node.passwordOf(moved)).toBe('second password')
    expect(await node.passwordOf(name)).toBeUndefined()
    await service.api.delete(`/extensions/${id}`, admin)
    await expect.poll(() => node.ended).toEqual([moved])
    expect(await node.passwordOf(moved)).toBeUndefined()
    await node.stop()
  })

  test('does not end a registration by changes of other fields', async () => {
    const { id, name } = await addExtension()
    const node = await startNode()
    await change({ id, first_name: 'Bia', senha: 'first password' })
    const { name: next } = await addExtension()
    await expect.poll(() => node.ended).toContainEqual(next)
    expect(node.ended).not.toContainEqual(name)
    await node.stop()
  })

  test('of nobody is remembered too, until there is somebody', async () => {
    const node = await startNode()
    const name = { domain: admin.domain, number: String(numbers + 1) }
    expect(await node.phones.credentials(name)).toBeUndefined()
    expect(node.phones.credentials(name)).toBeUndefined()
    await addExtension()
    await expect.poll(() => node.passwordOf(name)).toBe('first password')
    expect(await node.passwordOf({ ...name, domain: 'nobody.example' })).toBeUndefined()
    await node.stop()
  })

  test('is known again at once in the process that changed it', async () => {
    const { phones } = service.app.services.extensions
    const ended: ExtensionName[] = []
    phones.onChanged((extension) => ended.push(extension))
    const { id, name } = await addExtension()
    expect(await phones.credentials(name)).toEqual({ password: 'first password' })
    await change({ id, senha: 'second password' })
    expect(await phones.credentials(name)).toEqual({ password: 'second password' })
    const { name: next } = await addExtension()
    // Once each: a notice of our own must not end what registered since.
    expect(ended).toEqual([name, name, next])
  })

  test('is not cached while notices of changes cannot arrive', async () => {
    const node = await startNode()
    const { id, name } = await addExtension()
    await node.passwordOf(name)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'ramal % notices'`.execute(service.db)
    await expect.poll(() => node.notices.connected()).toBe(false)
    expect(await node.passwordOf(name)).toBe('first password')
    await removeSecretly(id)
    expect(await node.passwordOf(name)).toBeUndefined()
    await node.stop()
  })
})

describe('an engine to which extensions are pushed', () => {
  test('gets all of them at its start, and each that is created or changed', async () => {
    const { name: early } = await addExtension()
    const engines: FakeEngine[] = []
    const pushed = await startService(
      { DATABASE_URL: service.database.url, DATA_DIR: service.dataDir },
      {
        engine(host) {
          const engine = createFakeEngine(host, { provisioned: true })
          engines.push(engine)
          return engine
        },
      },
    )
    const registers = async (extension: ExtensionName, password: string) =>
      await engines[0]?.requestRegistration({ extension, password, phone: 'desk' })
    expect(await registers(early, 'first password')).toBe(true)
    const { id, name } = await addExtension()
    await expect.poll(() => registers(name, 'first password')).toBe(true)
    await change({ id, senha: 'second password' })
    await expect.poll(() => registers(name, 'second password')).toBe(true)
    expect(await registers(name, 'first password')).toBe(false)
    await pushed.stop()
  })
})
