import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccount } from '../../../test/helpers/service/people.ts'
import { type Service, startService } from '../../../test/helpers/service/service.ts'
import type { ExtensionName, Registration } from '../../engine/port.ts'
import { plusSeconds } from '../../kit/clock.ts'
import { renewNode } from '../../nodes/nodes-store.ts'
import type { Database } from '../../store/database.ts'
import type { MovedPhone } from './phones.ts'
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

/** With the phones of its engine. */
function startNode(node: string, { address, db = service.db }: { address?: string; db?: Database } = {}) {
  const errors: unknown[] = []
  const moved: MovedPhone[] = []
  const here = new Map<string, Registration>()
  const phones = {
    announceMoved: async (_: unknown, phones: readonly MovedPhone[]) => void moved.push(...phones),
  }
  const { clock } = service
  const registrations = createRegistrations({
    db,
    clock,
    node,
    address,
    phones,
    find: ({ number }) => here.get(number),
    forget(extension) {
      if (here.delete(extension.number)) void onEvent({ type: 'unregistered', extension })
    },
    onError: (error) => errors.push(error),
  })
  const onEvent: typeof registrations.onEvent = (event) => {
    if ('registration' in event && event.type !== 'displaced')
      here.set(event.registration.extension.number, event.registration)
    else if (event.type === 'unregistered') here.delete(event.extension.number)
    return registrations.onEvent(event)
  }
  return { ...registrations, onEvent, errors, moved, here }
}

/** The database, whose transactions begin when this is done. */
function duringTransaction(beforeIt: () => Promise<void> | void): Database {
  const execute = async (work: (tx: never) => Promise<unknown>) => {
    await beforeIt()
    return await service.db.transaction().execute(work as never)
  }
  return new Proxy(service.db, {
    get: (db, property) => (property === 'transaction' ? () => ({ execute }) : Reflect.get(db, property, db)),
  })
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
  test('is written at once, but for a phone that refreshes again within ten seconds: with the next tick', async () => {
    const node = startNode('a')
    const one = await addExtension()
    void node.onEvent({ type: 'registered', registration: registration(one) })
    await expect.poll(() => stored(one.id)).toMatchObject({ node: 'a', user_agent: 'Desk' })
    const later = plusSeconds(service.clock.now(), 1200)
    void node.onEvent({
      type: 'refreshed',
      registration: registration(one, { expiresAt: later, state: 'new' }),
    })
    expect(await stored(one.id)).toMatchObject({ way: '{"c":"sip:a"}' })
    await node.tick()
    expect(await stored(one.id)).toMatchObject({ expires_at: later, way: 'new' })
    service.clock.advance(60)
    await node.onEvent({ type: 'refreshed', registration: registration(one, { state: 'newest' }) })
    expect(await stored(one.id)).toMatchObject({ way: 'newest' })
    void node.onEvent({ type: 'unregistered', extension: one })
    await expect.poll(() => stored(one.id)).toBeUndefined()
    expect(node.errors).toEqual([])
  })

  test('counts by its last word, however quickly the words come', async () => {
    const node = startNode('a')
    const some = await Promise.all(Array.from({ length: 20 }, () => addExtension()))
    for (const one of some) {
      void node.onEvent({ type: 'registered', registration: registration(one) })
      void node.onEvent({ type: 'unregistered', extension: one })
      void node.onEvent({ type: 'registered', registration: registration(one, { userAgent: undefined }) })
      void node.onEvent({ type: 'refreshed', registration: registration(one, { state: 'last' }) })
    }
    await node.tick()
    for (const one of some) expect(await stored(one.id)).toMatchObject({ way: 'last' })
  })

  test('of an extension that is no more, or unknown, does no harm', async () => {
    const node = startNode('a')
    const unknown = { domain: 'nobody.example', number: '1000' }
    void node.onEvent({ type: 'registered', registration: registration(unknown) })
    void node.onEvent({
      type: 'displaced',
      registration: registration(unknown),
      by: { userAgent: 'x', address: 'y' },
    })
    void node.onEvent({ type: 'refreshed', registration: registration(unknown) })
    await node.tick()
    expect(node.errors).toEqual([])
  })

  test('of a displaced phone goes to the audit log (D76)', async () => {
    const node = startNode('a')
    const one = await addExtension()
    const by = { userAgent: 'Mobile', address: '203.0.113.2' }
    void node.onEvent({ type: 'registered', registration: registration(one) })
    void node.onEvent({ type: 'displaced', registration: registration(one), by })
    void node.onEvent({ type: 'registered', registration: registration(one, { userAgent: 'Mobile' }) })
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
    void node.onEvent({
      type: 'displaced',
      registration: registration(one),
      by: { userAgent: 'x', address: 'y' },
    })
    void node.onEvent({ type: 'registered', registration: registration(one) })
    await expect.poll(() => node.errors.length).toBeGreaterThan(0)
    await expect(node.tick()).rejects.toThrow('registrations')
    void node.onEvent({ type: 'refreshed', registration: registration(one, { state: 'newer' }) })
    await expect(node.tick()).rejects.toThrow('registrations')
    await service.db.schema.alterTable('away').renameTo('registrations').execute()
    await node.tick()
    expect(await stored(one.id)).toMatchObject({ way: 'newer' })
  })
})

describe('several nodes', () => {
  const comesTo = async (node: ReturnType<typeof startNode>, one: ExtensionName, state: string) => {
    service.clock.advance(1)
    const type = node.here.has(one.number) ? 'refreshed' : 'registered'
    await node.onEvent({ type, registration: registration(one, { state }) })
    await node.tick()
  }

  test('a phone belongs to the node it came to last; the other forgets it when it is notified', async () => {
    const [a, b] = [startNode('a'), startNode('b')]
    const one = await addExtension()
    await comesTo(a, one, 'at a')
    await comesTo(b, one, 'at b')
    const { domain, number } = one
    expect(b.moved).toEqual([{ domain, number, renewedAt: service.clock.now() }])
    a.onMoved(b.moved)
    expect([...a.here]).toEqual([])
    expect(await stored(one.id)).toMatchObject({ node: 'b', way: 'at b' })
  })

  test('D500: a node forgets a phone that moved at once, although the database does not answer it', async () => {
    let isAway = false
    const db = duringTransaction(() => {
      if (isAway) throw new Error('the database is away')
    })
    const [a, b] = [startNode('a', { db }), startNode('b')]
    const one = await addExtension()
    await comesTo(a, one, 'at a')
    await comesTo(b, one, 'at b')
    isAway = true
    a.onMoved(b.moved)
    expect([...a.here]).toEqual([])
  })

  test('D500: what waited for a connection does not take a phone back that has moved meanwhile', async () => {
    const connected = Promise.withResolvers<void>()
    const [a, b] = [startNode('a', { db: duringTransaction(() => connected.promise) }), startNode('b')]
    const one = await addExtension()
    const written = a.onEvent({ type: 'registered', registration: registration(one, { state: 'at a' }) })
    await comesTo(b, one, 'at b')
    service.clock.advance(1)
    connected.resolve()
    await written
    expect(await stored(one.id)).toMatchObject({ node: 'b', way: 'at b' })
    expect([...a.here]).toEqual([])
  })

  test('D500: a phone that came back before the notice of its move keeps its node', async () => {
    const [a, b] = [startNode('a'), startNode('b')]
    const one = await addExtension()
    await comesTo(a, one, 'at a')
    await comesTo(b, one, 'at b')
    await comesTo(a, one, 'at a again')
    a.onMoved(b.moved)
    b.onMoved(a.moved)
    expect([[...a.here.keys()], [...b.here]]).toEqual([[one.number], []])
    expect(await stored(one.id)).toMatchObject({ node: 'a', way: 'at a again' })
  })

  test('D500: a refresh brings back a row that is gone, and one of a node that the phone has left', async () => {
    const [a, b] = [startNode('a'), startNode('b')]
    const one = await addExtension()
    await comesTo(a, one, 'at a')
    await service.db.deleteFrom('registrations').execute()
    service.clock.advance(40)
    await comesTo(a, one, 'refreshed at a')
    expect(await stored(one.id)).toMatchObject({ node: 'a', way: 'refreshed at a' })
    await comesTo(b, one, 'at b')
    // Its notice is missed: for this node the return is a refresh.
    service.clock.advance(90)
    await comesTo(a, one, 'back at a')
    expect(await stored(one.id)).toMatchObject({ node: 'a', way: 'back at a' })
  })

  test('D500: what a stopped node writes late does not take a phone back that has moved meanwhile', async () => {
    const [a, b] = [startNode('a'), startNode('b')]
    const one = await addExtension()
    await comesTo(a, one, 'at a')
    service.clock.advance(20)
    await service.db.schema.alterTable('registrations').renameTo('away').execute()
    void a.onEvent({ type: 'refreshed', registration: registration(one, { state: 'late' }) })
    await expect.poll(() => a.errors.length).toBeGreaterThan(0)
    await service.db.schema.alterTable('away').renameTo('registrations').execute()
    service.clock.advance(90)
    await comesTo(b, one, 'at b')
    await a.tick()
    expect(await stored(one.id)).toMatchObject({ node: 'b', way: 'at b' })
    expect([...a.here]).toEqual([])
  })

  test('D502: a node that prolongs a registration does not take back the phone that another has', async () => {
    const [a, b] = [startNode('a'), startNode('b')]
    const one = await addExtension()
    await comesTo(a, one, 'at a')
    service.clock.advance(50)
    await a.onEvent({ type: 'prolonged', registration: registration(one, { state: 'longer at a' }) })
    expect(await stored(one.id)).toMatchObject({ node: 'a', way: 'longer at a' })
    await comesTo(b, one, 'at b')
    service.clock.advance(50)
    await a.onEvent({ type: 'prolonged', registration: registration(one) })
    expect(await stored(one.id)).toMatchObject({ node: 'b', way: 'at b' })
    expect([...a.here]).toEqual([])
  })

  test('D500: a comparison restores what a failover rolled back, and keeps away what has ended or moved', async () => {
    const [a, b] = [startNode('a'), startNode('b')]
    const [kept, moved, ended, changed] = await Promise.all(Array.from({ length: 4 }, () => addExtension()))
    if (!kept || !moved || !ended || !changed) throw new Error('no extensions')
    for (const one of [kept, moved, ended, changed]) await comesTo(a, one, 'at a')
    const before = await service.db.selectFrom('registrations').selectAll().where('node', '=', 'a').execute()
    service.clock.advance(30)
    await comesTo(a, kept, 'refreshed')
    await comesTo(b, moved, 'at b')
    await a.onEvent({ type: 'unregistered', extension: ended })
    await service.db.deleteFrom('registrations').execute()
    await service.db.insertInto('registrations').values(before).execute()
    await service.db.deleteFrom('registrations').where('extension_id', '=', changed.id).execute()
    const person = { id: changed.id, senha: 'another-senha' }
    service.clock.advance(1)
    expect((await service.api.patch('/extensions', person, { token: admin.token })).status).toBe(200)
    // One after the other: a comparison of `a` that comes second finds the phone at `b`, and forgets it at once.
    await a.compare()
    await b.compare()
    expect(await stored(kept.id)).toMatchObject({ node: 'a', way: 'refreshed' })
    expect(await stored(moved.id)).toMatchObject({ node: 'b', way: 'at b' })
    expect([await stored(ended.id), await stored(changed.id)]).toEqual([undefined, undefined])
    expect([...a.here.keys()]).toEqual([kept.number, moved.number])
    a.onMoved(b.moved)
    expect([...a.here.keys()]).toEqual([kept.number])
  })

  test('a node that starts again takes over the phones registered at its address, and no others (D129)', async () => {
    const now = service.clock.now()
    const [kept, elsewhere] = [await addExtension(), await addExtension()]
    const over = await addExtension()
    const [before, other] = [
      startNode('first', { address: '192.0.2.1:5060' }),
      startNode('other', { address: '192.0.2.2:5060' }),
    ]
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
        takesCalls: true,
        parts: {},
      }
      await renewNode(service.db, node, 0)
    }
    void before.onEvent({ type: 'registered', registration: registration(kept) })
    void before.onEvent({ type: 'registered', registration: registration(over, { expiresAt: now }) })
    void other.onEvent({ type: 'registered', registration: registration(elsewhere) })
    await Promise.all([before.tick(), other.tick()])
    const node = startNode('second', { address: '192.0.2.1:5060' })
    expect(await node.load()).toEqual([{ ...registration(kept), renewedAt: now }])
    expect(await stored(kept.id)).toMatchObject({ node: 'second' })
    service.clock.advance(1)
    await service.tick('expired registrations')
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
      isSuspended: false,
      isUndisturbed: false,
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
    void node.onEvent({ type: 'registered', registration: registration(high) })
    await node.tick()
    expect(await found()).toEqual([high.number, low.number])
    service.clock.advance(600)
    expect(await found()).toEqual([low.number, high.number])
    expect(await profiles().findByCallerNumber('551133339999')).toEqual([])
  })
})
