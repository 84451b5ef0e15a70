/** D207: rotating the secret key beside running processes. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { appCode } from '../../../test/helpers/service/authenticator.ts'
import { tokenIn } from '../../../test/helpers/service/operators.ts'
import { openAccount } from '../../../test/helpers/service/people.ts'
import { type Service, startService } from '../../../test/helpers/service/service.ts'
import { createVault, fingerprintOf } from '../../kit/vault.ts'
import { byteColumns, sealedColumns } from './byte-columns.ts'
import { createSecretKeys } from './key-files.ts'
import { openVault, readKeyState } from './open-vault.ts'
import { createKeyRotation } from './rotation.ts'
import { createStoredKeys } from './stored-keys.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeEach(async () => {
  service = await startService({ TRUNKS: '[]' })
  admin = await openAccount(service)
})
afterEach(() => service.stop())

const keyFile = () => join(service.dataDir, 'secret.key')
const readKey = (path = keyFile()) => Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')

type KeySettings = Parameters<typeof createSecretKeys>[0]

/** The operator's command, in a process of its own. */
async function rotate(options: { revokeLinks?: boolean; settings?: Partial<KeySettings> } = {}) {
  const { db } = service
  const keys = createSecretKeys({ dataDir: service.dataDir, ...options.settings })
  const vault = await openVault(db, keys)
  const storedKeys = createStoredKeys({ db, vault })
  // Waiting for half a minute takes as long as the service needs to look at its keys.
  const pause = () => service.app.keyHolder.tick()
  const report: string[] = []
  const rotation = createKeyRotation({
    db,
    vault,
    keys,
    storedKeys,
    pause,
    report: (line) => report.push(line),
  })
  await rotation.rotate({ revokeLinks: options.revokeLinks ?? false })
  return report
}

const person = { first_name: 'Ana', last_name: 'Souza', email_address: 'ana@padaria.example' }

/** A value in every sealed column. */
async function fillColumns() {
  const { api } = service
  await api.post('/extensions', { ...person, ramal: '1000', senha: 'first password' }, admin)
  // The login of a moment ago is enough (D202).
  await api.post('/users/me/second-factor', undefined, admin)
  const { changes } = service.app.services.trunks
  const given = { name: 'main', address: 'sip:192.0.2.9', username: 'u', password: 'p' }
  await changes.add({ given, isOn: false, reason: 'Test' })
  await fillOperators()
  const metadata = {
    webhookUrl: 'https://user:password@hooks.example.com/x',
    webhookTypes: ['channel-hangup'],
  }
  const { body } = await api.patch('/integrations', { gateway: 'crm', webhook: true, metadata }, admin)
  await api.post(`/integrations/${body.id}/rotate-secret`, undefined, admin)
  const user = {
    name: 'Bia',
    email: 'bia@padaria.example',
    password: 'another password',
    phone: '48999998888',
  }
  const idempotent = { ...admin, headers: { 'idempotency-key': 'bia' } }
  const added = await api.post('/users', { ...user, role: 'USER' }, idempotent)
  return { added, repeat: () => api.post('/users', { ...user, role: 'USER' }, idempotent) }
}

/** One with a second factor, and one who begins to set it up. */
async function fillOperators() {
  const { operators, operatorSetUp } = service.app.services.users
  const add = async (email: string) => tokenIn((await operators.add({ name: 'Rita', email })).link)
  const active = await add('rita@operator.example')
  const { factor } = await operatorSetUp.begin(active)
  const code = appCode(factor?.secret ?? '', service.clock.now())
  await operatorSetUp.finish(active, 'a long password', code)
  await operatorSetUp.begin(await add('ana@operator.example'))
}

async function readSealed(): Promise<{ column: string; purpose: string; sealed: Buffer }[]> {
  const found = []
  for (const { table, column, purpose } of sealedColumns) {
    const { rows } = await sql<{ sealed: Buffer }>`
      select ${sql.ref(column)} as sealed from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
      service.db,
    )
    found.push(...rows.map(({ sealed }) => ({ column: `${table}.${column}`, purpose, sealed })))
  }
  return found
}

test('every column of bytes in the database is known as sealed or as a hash', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea'`.execute(service.db)
  const known = Object.entries(byteColumns).flatMap(([table, columns]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  )
  expect(rows.map(({ name }) => name).sort()).toEqual(known.sort())
})

test('no column of texts holds a sealed value that the rotation would miss', async () => {
  await fillColumns()
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'json', 'jsonb')`.execute(service.db)
  const mark = createVault(randomBytes(32)).header().subarray(0, 4)
  const spellings = [mark.toString('hex'), mark.toString('latin1'), mark.toString('base64').slice(0, 5)]
  for (const { table, column } of rows) {
    const held = await sql`select 1 from ${sql.table(table)}
      where ${sql.ref(column)}::text ~ ${`^"?(${spellings.join('|')})`} limit 1`.execute(service.db)
    expect(held.rows, `${table}.${column}`).toEqual([])
  }
})

test('everything is re-encrypted while the service runs, which seals with the new key at once', async () => {
  const { added, repeat } = await fillColumns()
  const old = readKey()
  const before = await readSealed()
  const filled = new Set(before.map(({ column }) => column))
  expect(filled).toEqual(new Set(sealedColumns.map(({ table, column }) => `${table}.${column}`)))
  const report = await rotate()
  const key = readKey()
  expect(key).not.toEqual(old)
  expect(existsSync(`${keyFile()}.next`)).toBe(false)
  const oldAlone = createVault(old)
  const alone = createVault(key)
  const after = await readSealed()
  expect(after.map(({ purpose, sealed }) => alone.open(purpose, sealed)).sort()).toEqual(
    before.map(({ purpose, sealed }) => oldAlone.open(purpose, sealed)).sort(),
  )
  for (const { purpose, sealed } of after) expect(() => oldAlone.open(purpose, sealed)).toThrow()
  expect(report).toContain('extensions.password: 1 re-encrypted.')

  expect((await service.api.get('/extensions', admin)).body).toMatchObject([{ senha: 'first password' }])
  expect((await repeat()).body).toEqual(added.body)
  await service.api.post('/extensions', { ...person, ramal: '1001', senha: 'a second one' }, admin)
  const sealed = await service.db
    .selectFrom('extensions')
    .select('password')
    .where('number', '=', '1001')
    .executeTakeFirstOrThrow()
  expect(alone.open('extension password', sealed.password)).toBe('a second one')
  expect(await readKeyState(service.db)).toEqual({ active: fingerprintOf(key), previous: undefined })
})

test('values sealed before keys had ids are re-encrypted too', async () => {
  await fillColumns()
  const { sealed } = (await readSealed()).find(({ column }) => column === 'extensions.password') ?? {}
  // Without its mark and key id, it is as it was stored then.
  await service.db
    .updateTable('extensions')
    .set({ password: sealed?.subarray(12) })
    .execute()
  expect((await service.api.get('/extensions', admin)).body).toMatchObject([{ senha: 'first password' }])
  await rotate()
  const [after] = (await readSealed()).filter(({ column }) => column === 'extensions.password')
  expect(after && createVault(readKey()).open(after.purpose, after.sealed)).toBe('first password')
})

test('SECRET_KEY: with the old key in SECRET_KEY_PREVIOUS; a process that does not have the new key stops the rotation', async () => {
  const [secretKeyPrevious, secretKey] = [readKey(), randomBytes(32)]
  await expect(rotate({ settings: { secretKey: secretKeyPrevious } })).rejects.toThrow(
    /set SECRET_KEY to a new key .* and SECRET_KEY_PREVIOUS to the present one/,
  )
  const settings = { secretKey, secretKeyPrevious }
  await expect(rotate({ settings })).rejects.toThrow(
    `These processes do not have the new key yet: ${service.app.node.id}. Restart every process`,
  )
  expect(await readKeyState(service.db)).toEqual({
    active: fingerprintOf(secretKeyPrevious),
    previous: undefined,
  })
  service.app.services.base.vault.add(secretKey)
  await rotate({ settings })
  const alone = createVault(secretKey)
  for (const { purpose, sealed } of await readSealed()) alone.open(purpose, sealed)
})

test('until the rotation is complete a start without the old key is refused with what to do', async () => {
  const { db, dataDir } = service
  const next = createSecretKeys({ dataDir }).next()
  await db
    .insertInto('installation')
    .values({ name: 'previous key fingerprint', value: fingerprintOf(readKey()) })
    .execute()
  await db
    .updateTable('installation')
    .set({ value: fingerprintOf(next) })
    .where('name', '=', 'key fingerprint')
    .execute()
  expect((await openVault(db, createSecretKeys({ dataDir }))).sealsWith()).toBe(fingerprintOf(next))
  writeFileSync(keyFile(), `${next.toString('hex')}\n`)
  await expect(openVault(db, createSecretKeys({ dataDir }))).rejects.toThrow(
    /not complete, and the old key is missing: .*run `ramal secret rotate`/,
  )
})

test('links to recordings stay valid, unless they are to be revoked', async () => {
  const { links } = service.app.services.calls
  const call = {
    id: crypto.randomUUID(),
    recording: 'stored',
    ended_at: service.clock.now(),
    link_version: 0,
  }
  const link = new URL(links.linkOf(call))
  const signed = () => ({
    callId: call.id,
    expires: link.searchParams.get('expires') ?? '',
    version: '0',
    signature: link.searchParams.get('signature') ?? '',
  })
  await rotate()
  expect(links.isValid(signed())).toBe(true)
  await rotate({ revokeLinks: true })
  await expect.poll(() => links.isValid(signed())).toBe(false)
  expect(links.linkOf(call)).not.toBe(link.href)
})
