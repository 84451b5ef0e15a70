/**
 * D500: phones move between three nodes at random, while notices are lost or late, nodes are cut off from the database,
 * and rows vanish or are rolled back. Checked against a model: the node at which each phone registered last.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSeededRandom } from '../../../bench/parts/crash/seeded-random.ts'
import { openAccount } from '../../../test/helpers/service/people.ts'
import { type Service, startService } from '../../../test/helpers/service/service.ts'
import type { ExtensionName, Registration } from '../../engine/port.ts'
import { plusSeconds } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import type { MovedPhone } from './phones.ts'
import { createRegistrations } from './registrations.ts'

const seed = 20_261_117
const steps = 10_000
const phoneCount = 30
const movesPerRound = 9

let service: Service
let names: ExtensionName[]

beforeAll(async () => {
  service = await startService()
  const { domain, token } = await openAccount(service)
  const person = { first_name: 'Ana', last_name: 'Souza', email_address: 'ana@padaria.example' }
  const add = (ramal: string) =>
    service.api.post('/extensions', { ...person, ramal, senha: 's3nha-do-ramal' }, { token })
  const numbers = Array.from({ length: phoneCount }, (_, index) => String(1000 + index))
  for (const { status } of await Promise.all(numbers.map(add))) expect(status).toBe(200)
  names = numbers.map((number) => ({ domain, number }))
})
afterAll(() => service.stop())

/** A node with the phones of its engine, whose notices reach the others when the test delivers them. */
function startNode(id: string) {
  const here = new Map<string, Registration>()
  const inbox: MovedPhone[][] = []
  const outbox: MovedPhone[][] = []
  let isCutOff = false
  const registrations = createRegistrations({
    db: cutWhen(service.db, () => isCutOff),
    clock: service.clock,
    node: id,
    address: undefined,
    phones: { announceMoved: async (_, moved) => void outbox.push([...moved]) },
    find: ({ number }) => here.get(number),
    forget(extension) {
      if (here.delete(extension.number)) void registrations.onEvent({ type: 'unregistered', extension })
    },
    onError: () => {},
  })

  /** Resolves when the phone has its 200. */
  async function register(extension: ExtensionName) {
    const now = service.clock.now()
    const before = here.get(extension.number)
    const registration = {
      extension,
      registeredAt: before?.registeredAt ?? now,
      expiresAt: plusSeconds(now, 300),
      userAgent: 'Desk',
      state: `${id} ${now.toISOString()}`,
    }
    here.set(extension.number, registration)
    const stored = registrations.onEvent({ type: before ? 'refreshed' : 'registered', registration })
    // D423: a database that is away keeps no phone out.
    if (!isCutOff) await stored
  }

  /** As the job does, whose failures are logged. */
  const compare = () => registrations.compare().catch(() => {})

  return {
    id,
    here,
    inbox,
    outbox,
    register,
    compare,
    isCutOff: () => isCutOff,
    setCutOff(isCut: boolean) {
      isCutOff = isCut
    },
    readInbox() {
      for (const moved of inbox.splice(0)) registrations.onMoved(moved)
    },
  }
}

function cutWhen(db: Database, isCutOff: () => boolean): Database {
  return new Proxy(db, {
    get(target, property) {
      if (isCutOff()) throw new Error('cut off')
      const value = Reflect.get(target, property, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const readRows = () => service.db.selectFrom('registrations').selectAll().execute()

/** The node of each phone, by its number. */
async function readNodes(): Promise<Map<string, string>> {
  const rows = await service.db
    .selectFrom('registrations')
    .innerJoin('extensions', 'extensions.id', 'registrations.extension_id')
    .select(['extensions.number', 'registrations.node'])
    .execute()
  return new Map(rows.map(({ number, node }) => [number, node]))
}

test(`a phone that got 200 can be called at its node, and after a comparison at that node alone (${steps} steps, seed ${seed})`, async () => {
  const random = createSeededRandom(seed)
  const nodes = ['a', 'b', 'c'].map(startNode)
  const [first] = nodes
  if (!first) throw new Error('no node')
  const anyNode = () => random.pick(nodes) ?? first
  const lastNode = new Map<string, typeof first>()
  let snapshot = await readRows()
  const done: Record<string, number> = {}

  const disturbances: Record<string, () => unknown> = {
    cutOff: () => anyNode().setCutOff(random.below(3) === 0),
    compare: () => anyNode().compare(),
    deliver: () => anyNode().readInbox(),
    loseNotices: () => anyNode().inbox.splice(0),
    takeSnapshot: async () => {
      snapshot = await readRows()
    },
    rollBack: async () => {
      await service.db.deleteFrom('registrations').execute()
      if (snapshot.length > 0) await service.db.insertInto('registrations').values(snapshot).execute()
    },
    deleteRows: () => service.db.deleteFrom('registrations').where('node', '=', anyNode().id).execute(),
  }
  const kinds = Object.keys(disturbances)

  async function move(extension: ExtensionName) {
    const node = anyNode()
    lastNode.set(extension.number, node)
    await node.register(extension)
  }

  function passNotices() {
    for (const node of nodes)
      for (const moved of node.outbox.splice(0))
        for (const other of nodes) if (other !== node) other.inbox.push(moved)
  }

  async function checkCalm(round: number) {
    for (const node of nodes) {
      node.setCutOff(false)
      node.inbox.length = 0
    }
    for (let time = 0; time < 2; time += 1) for (const node of nodes) await node.compare()
    const expected = [...lastNode].map(([number, { id }]) => [number, id]).toSorted()
    expect([...(await readNodes())].toSorted(), `rows after round ${round}`).toEqual(expected)
    const held = nodes.flatMap(({ id, here }) => [...here.keys()].map((number) => [number, id]))
    expect(held.toSorted(), `phones after round ${round}`).toEqual(expected)
  }

  for (let step = 0, round = 1; step < steps; round += 1) {
    const kind = random.pick(kinds) ?? ''
    done[kind] = (done[kind] ?? 0) + 1
    await disturbances[kind]?.()
    const moving = random.shuffle(names).slice(0, movesPerRound)
    service.clock.advance(15 + random.below(30))
    await Promise.all(moving.map(move))
    step += 1 + moving.length
    const rows = await readNodes()
    for (const { number } of moving) {
      const node = lastNode.get(number)
      if (node && !node.isCutOff()) expect(rows.get(number), `${number}, round ${round}`).toBe(node.id)
    }
    passNotices()
    if (round % 20 === 0) await checkCalm(round)
  }
  await checkCalm(0)
  for (const kind of kinds) expect(done[kind], kind).toBeGreaterThan(50)
})
