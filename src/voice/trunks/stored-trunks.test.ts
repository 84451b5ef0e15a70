import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../test/helpers/run/test-clock.ts'
import { createTestDatabase } from '../../../test/helpers/run/test-database.ts'
import { parseTrunks } from '../../engine/trunk-settings/parse-trunks.ts'
import { createLog } from '../../kit/process/log.ts'
import { createVault } from '../../kit/vault.ts'
import { type Database, openDatabase, openPool } from '../../store/database.ts'
import { createStoredTrunks } from './stored-trunks.ts'
import { createTrunkChanges } from './trunk-changes.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
beforeEach(async () => {
  database = await createTestDatabase()
  db = openDatabase(openPool({ connectionString: database.url }, { size: 4, onError: () => {} }))
})
afterEach(async () => {
  await db.destroy()
  await database.drop()
})

const vault = createVault(randomBytes(32))
const configured = parseTrunks('[{"name": "main", "address": "sip:192.0.2.1"}]')
const spare = { name: 'spare', address: 'sip:192.0.2.2', username: 'u', password: 'p' }
const reason = 'Test'

/** A process of the service, whose notices the test delivers or loses. */
function openProcess(own = vault) {
  let connected = true
  let notice = () => {}
  let gap = () => {}
  const notices = {
    listen: (_channel: string, listener: (payload: string) => void) => {
      notice = () => listener('')
    },
    onGap: (listener: () => void) => {
      gap = listener
    },
    connected: () => connected,
  }
  const onError = (error: unknown) => {
    throw error
  }
  const trunks = createStoredTrunks({
    db,
    vault: own,
    notices,
    log: createLog('silent'),
    configured,
    onError,
  })
  const changes: string[][] = []
  trunks.onChanged((given) => changes.push(given.map(({ name }) => name)))
  return {
    trunks,
    changes,
    verbs: createTrunkChanges({ db, clock: createTestClock(), vault: own, trunks, usesSandbox: false }),
    notify: () => notice(),
    lose() {
      connected = false
      gap()
    },
  }
}
const names = ({ trunks }: ReturnType<typeof openProcess>) => trunks.inUse().map(({ name }) => name)

test('a process sees what another one changed when it is notified, and its engine gets the trunks that are on', async () => {
  const [one, other] = [openProcess(), openProcess()]
  await other.trunks.load()
  expect(other.changes).toEqual([])
  await one.verbs.add({ given: spare, isOn: true, reason })
  expect(names(other)).toEqual(['main'])
  other.notify()
  await expect.poll(() => names(other)).toEqual(['main', 'spare'])
  expect(other.trunks.find('spare')?.settings.login).toEqual({ username: 'u', password: 'p' })
  await one.verbs.edit('spare', { given: { channels: 7 }, reason })
  other.notify()
  await expect.poll(() => other.trunks.find('spare')?.settings.channels).toBe(7)
  expect(other.trunks.find('spare')?.settings.login).toEqual({ username: 'u', password: 'p' })
  await one.verbs.setOn('main', false, reason)
  other.notify()
  await expect.poll(() => other.changes).toEqual([['main', 'spare'], ['main', 'spare'], ['spare']])
})

test('a process whose notices were lost reads the trunks again with its next tick', async () => {
  const [one, other] = [openProcess(), openProcess()]
  await other.trunks.load()
  await one.verbs.add({ given: spare, isOn: true, reason })
  await other.trunks.tick()
  expect(names(other)).toEqual(['main'])
  other.lose()
  await other.trunks.tick()
  expect(names(other)).toEqual(['main', 'spare'])
})

test('a stored trunk that cannot be opened is left out, and the others work', async () => {
  await openProcess(createVault(randomBytes(32))).verbs.add({
    given: { ...spare, name: 'sealed' },
    isOn: true,
    reason,
  })
  const one = openProcess()
  await one.verbs.add({ given: spare, isOn: true, reason })
  await one.trunks.load()
  expect(names(one)).toEqual(['main', 'spare'])
})

test('a name that TRUNKS has taken since is that of the setting', async () => {
  const one = openProcess()
  await one.verbs.add({ given: spare, isOn: true, reason })
  await db.updateTable('trunks').set({ name: 'main' }).execute()
  await one.trunks.load()
  expect(one.trunks.find('main')).toMatchObject({ source: 'setting', settings: { address: 'sip:192.0.2.1' } })
})
