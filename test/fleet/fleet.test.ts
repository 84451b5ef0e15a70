/** D240, D241: two API processes, a worker and two voice nodes, each a process of its own, are one service. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../helpers/test-database.ts'
import { readWav, secondsOfTone } from '../sip/peers/tones.ts'
import { type FleetOffice, openFleetOffice, patience, playing } from './office.ts'

let office: FleetOffice
let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase()
  office = await openFleetOffice(database.url)
})
afterAll(async () => {
  await office.close()
  await database.drop()
})

test('any API process places and hangs up for phones at any node, phones of two nodes talk, and a killed node takes nothing with it', async () => {
  const { call, hangUp, place, startPhone } = office
  const first = await office.start('api')
  await office.open(first, ['1000', '1001'])
  const [second, a, b] = await Promise.all([
    office.start('api'),
    office.startVoice('a', '27000-27099'),
    office.startVoice('b', '27100-27199'),
    office.start('worker'),
  ])
  const ana = await startPhone('1000', a)
  const bia = await startPhone('1001', b, { hertz: 600 })

  // Ana's node has the call, and reaches Bia through hers.
  const talk = await place(first, '1000', '1001')
  await expect.poll(async () => (await call(second, talk)).status, patience).toBe('answered')
  await expect.poll(() => bia.heard()?.soundSeconds ?? 0, patience).toBeGreaterThan(3)
  await expect.poll(() => ana.heard()?.soundSeconds ?? 0, patience).toBeGreaterThan(3)
  expect((await hangUp(second, talk)).status).toBe(200)
  expect(await call(first, talk)).toMatchObject({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
  await bia.until(({ type }) => type === 'ended')
  await expect.poll(async () => (await call(second, talk)).record_url, patience).not.toBe('')
  const link = new URL((await call(second, talk)).record_url)
  const file = async () => await fetch(`${second.url}${link.pathname}${link.search}`)
  await expect.poll(async () => (await file()).status, patience).toBe(200)
  const { channels } = readWav(Buffer.from(await (await file()).arrayBuffer()))
  expect(secondsOfTone(channels[0] ?? new Int16Array(), 440)).toBeGreaterThan(1.5)
  expect(secondsOfTone(channels[1] ?? new Int16Array(), 600)).toBeGreaterThan(1.5)
  expect(await office.query('select id from calls')).toHaveLength(1)

  // A node dies in the middle of a call; its phone registers at the other node and is called there at once.
  const cut = await place(second, '1001', playing)
  await expect.poll(async () => (await call(first, cut)).status, patience).toBe('answered')
  await b.stop('SIGKILL')
  const moved = await startPhone('1001', a, { hertz: 600 })
  const nodes = async () => await office.query('select count(distinct node)::int as nodes from registrations')
  await expect.poll(nodes, patience).toEqual([{ nodes: 1 }])
  const again = await place(first, '1001', playing)
  await moved.until((event) => event.type === 'incoming' && event.callId === again)
  expect((await hangUp(second, again)).status).toBe(200)

  await expect.poll(async () => (await call(first, cut)).status, patience).toBe('completed')
  expect(await call(second, cut)).toMatchObject({ hangup_cause: 'RECOVERY_ON_TIMER_EXPIRE' })
  expect((await office.callIds()).toSorted()).toEqual([talk, cut, again].toSorted())
  expect(await office.violations()).toEqual([])
}, 180_000)
