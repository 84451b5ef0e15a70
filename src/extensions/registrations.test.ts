import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccount } from '../../test/helpers/people.ts'
import { type Service, startService } from '../../test/helpers/service.ts'
import type { ExtensionName, Registration } from '../engine/port.ts'
import { plusSeconds } from '../kit/clock.ts'
import { renewNode } from '../voice/nodes/nodes-store.ts'
import { createRegistrations } from './registrations.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>
let numbers = 4000

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
})
afterAll(() => service.stop())

async function addExtension(more = {}, who = admin): Promise<ExtensionName & { id: number }> {
  numbers += 1
  const { body } = await service.api.post(
    '/extensions',
    {
      ramal: String(numbers),
      senha: 's3nha-do-ramal',
      first_name: 'Ana',
      last_name: 'Souza',
      email_address: 'ana@padaria.example',
      ...more,
    },
    { token: who.token },
  )
  return { id: body.id, domain: who.domain, number: body.ramal }
}

function startNode(node: string, address?: string) {
  const errors: unknown[] = []
  const moved: ExtensionName[] = []
  const phones = {
    announce: async (_: unknown, names: readonly ExtensionName[]) => void moved.push(...names),
  }
  const { db, clock } = service
  const registrations = createRegistrations({
    db,
    clock,
    node,
    address,
    phones,
    onError: (error) => errors.push(error),
  })
  return { ...registrations, errors, moved }
}

function registration({ domain, number }: ExtensionName, more: Partial<Registration> = {}): Registration {
  const now = service.clock.now()
  return {
    extension: { domain, number },
    registeredAt: now,
    expiresAt: plusSeconds(now, 600),
    userAgent: 'Desk',
    state: '{"c":"sip:a"}',
    ...more,
  }
}

const stored = (id: number) =>
  service.db
    .selectFrom('registrations')
    .select(['node', 'expires_at', 'user_agent', 'way'])
    .where('extension_id', '=', id)
    .executeTakeFirst()

describe('a registration that the engine reports', () => {
  test('is written at once when a phone comes or goes, and with the next tick when it refreshes', async () => {
    const node = startNode('a')
    const one = await addExtension()
    node.onEvent({ type: 'registered', registration: registration(one) })
    await expect.poll(() => stored(one.id)).toMatchObject({ node: 'a', user_agent: 'Desk' })
    const later = plusSeconds(service.clock.now(), 1200)
    node.onEvent({ type: 'refreshed', registration: registration(one, { expiresAt: later, state: 'new' }) })
    expect(await stored(one.id)).toMatchObject({ way: '{"c":"sip:a"}' })
    await node.tick()
    expect(await stored(one.id)).toMatchObject({ expires_at: later, way: 'new' })
    node.onEvent({ type: 'unregistered', extension: one })
    await expect.poll(() => stored(one.id)).toBeUndefined()
    expect(node.errors).toEqual([])
  })

  test('counts by its last word, however quickly the words come', async () => {
    const node = startNode('a')
    const some = await Promise.all(Array.from({ length: 20 }, () => addExtension()))
    for (const one of some) {
      node.onEvent({ type: 'registered', registration: registration(one) })
      node.onEvent({ type: 'unregistered', extension: one })
      node.onEvent({ type: 'registered', registration: registration(one, { userAgent: undefined }) })
      node.onEvent({ type: 'refreshed', registration: registration(one, { state: 'last' }) })
    }
    await node.tick()
    for (const one of some) expect(await stored(one.id)).toMatchObject({ way: 'last' })
  })

  test('of an extension that is no more, or unknown, does no harm', async () => {
    const node = startNode('a')
    const unknown = { domain: 'nobody.example', number: '1000' }
    node.onEvent({ type: 'registered', registration: registration(unknown) })
    node.onEvent({
      type: 'displaced',
      registration: registration(unknown),
      by: { userAgent: 'x', address: 'y' },
    })
    node.onEvent({ type: 'refreshed', registration: registration(unknown) })
    await node.tick()
    expect(node.errors).toEqual([])
  })

  test('of a displaced phone goes to the audit log (D76)', async () => {
    const node = startNode('a')
    const one = await addExtension()
    const by = { userAgent: 'Mobile', address: '203.0.113.2' }
    node.onEvent({ type: 'registered', registration: registration(one) })
    node.onEvent({ type: 'displaced', registration: registration(one), by })
    node.onEvent({ type: 'registered', registration: registration(one, { userAgent: 'Mobile' }) })
    await node.tick()
    expect(await stored(one.id)).toMatchObject({ user_agent: 'Mobile' })
    const { body } = await service.api.get('/accounts/audit?page=1', admin)
    expect(body.data[0]).toMatchObject({
      action: 'extension.displaced',
      actor: null,
      subject: one.number,
      details: { userAgent: 'Desk', by },
    })
  })

  test('is not lost while the database is away', async () => {
    const one = await addExtension()
    const node = startNode('a')
    await service.db.schema.alterTable('registrations').renameTo('away').execute()
    node.onEvent({ type: 'displaced', registration: registration(one), by: { userAgent: 'x', address: 'y' } })
    node.onEvent({ type: 'registered', registration: registration(one) })
    await expect.poll(() => node.errors.length).toBeGreaterThan(0)
    await expect(node.tick()).rejects.toThrow('registrations')
    node.onEvent({ type: 'refreshed', registration: registration(one, { state: 'newer' }) })
    await service.db.schema.alterTable('away').renameTo('registrations').execute()
    await node.tick()
    expect(await stored(one.id)).toMatchObject({ way: 'newer' })
  })
})

describe('several nodes', () => {
  test('a phone belongs to the node it came to last; the other lets go, and says no more of it', async () => {
    const [a, b] = [startNode('a'), startNode('b')]
    const one = await addExtension()
    a.onEvent({ type: 'registered', registration: registration(one) })
    await a.tick()
    b.onEvent({ type: 'registered', registration: registration(one, { state: 'at b' }) })
    await b.tick()
    expect(b.moved).toEqual([{ domain: one.domain, number: one.number }])
    a.onEvent({ type: 'refreshed', registration: registration(one, { state: 'at a' }) })
    await a.tick()
    a.onEvent({ type: 'unregistered', extension: one })
    await a.tick()
    expect(await stored(one.id)).toMatchObject({ node: 'b', way: 'at b' })
  })

  test('a node that starts again takes over the phones registered at its address, and no others (D129)', async () => {
    const now = service.clock.now()
    const [kept, elsewhere] = [await addExtension(), await addExtension()]
    const over = await addExtension()
    const [before, other] = [startNode('first', '192.0.2.1:5060'), startNode('other', '192.0.2.2:5060')]
    for (const [id, address] of [
      ['first', '192.0.2.1:5060'],
      ['other', '192.0.2.2:5060'],
    ] as const) {
      const node = {
        id,
        address,
        roles: ['voice'],
        state: 'active' as const,
        startedAt: now,
        host: 'machine',
        version: '1',
        calls: 0,
        phones: 0,
        clockOffsetMs: undefined,
        trunks: [],
        phoneAddresses: {},
      }
      await renewNode(service.db, node, 0)
    }
    before.onEvent({ type: 'registered', registration: registration(kept) })
    before.onEvent({ type: 'registered', registration: registration(over, { expiresAt: now }) })
    other.onEvent({ type: 'registered', registration: registration(elsewhere) })
    await Promise.all([before.tick(), other.tick()])
    const node = startNode('second', '192.0.2.1:5060')
    expect(await node.load()).toEqual([registration(kept)])
    expect(await stored(kept.id)).toMatchObject({ node: 'second' })
    service.clock.advance(1)
    await service.app.services.extensions.extensions.sweepRegistrations()
    expect([await stored(over.id), await stored(elsewhere.id)]).toMatchObject([undefined, { node: 'other' }])
  })
})

describe('profiles, as calls see extensions', () => {
  const profiles = () => service.app.services.extensions.profiles

  test('are found by number in their account, and by name', async () => {
    const one = await addExtension({ bina: '+55 48 3333-4444', gravar_audio: 1 })
    const profile = await profiles().findByName(one)
    expect(profile).toEqual({
      id: one.id,
      number: one.number,
      firstName: 'Ana',
      lastName: 'Souza',
      email: 'ana@padaria.example',
      callerNumber: '554833334444',
      isCallerNumberVerified: true,
      recordCalls: true,
      accountId: expect.any(Number),
      domain: admin.domain,
      timeZone: 'America/Sao_Paulo',
      ownerId: null,
      ownerUuid: null,
    })
    const accountId = profile?.accountId ?? 0
    expect(await profiles().findByNumber(accountId, one.number)).toEqual(profile)
    expect(await profiles().findByNumber(accountId + 1, one.number)).toBeUndefined()
    expect(await profiles().isNumberOf(accountId, '554833334444')).toBe(true)
    expect(await profiles().isNumberOf(accountId + 1, '554833334444')).toBe(false)
  })

  test('that share a called number: the registered first, then the lowest, of the account that has it verified (D113)', async () => {
    const bina = '1133330000'
    const [low, high] = [
      await addExtension({ bina, ramal: '990' }),
      await addExtension({ bina, ramal: '1990' }),
    ]
    await addExtension({ bina, ramal: '10' }, await openAccount(service))
    const found = async () =>
      (await profiles().findByCallerNumber('551133330000')).map(({ number }) => number)
    expect(await found()).toEqual([low.number, high.number])
    const node = startNode('a')
    node.onEvent({ type: 'registered', registration: registration(high) })
    await node.tick()
    expect(await found()).toEqual([high.number, low.number])
    service.clock.advance(600)
    expect(await found()).toEqual([low.number, high.number])
    expect(await profiles().findByCallerNumber('551133339999')).toEqual([])
  })
})
