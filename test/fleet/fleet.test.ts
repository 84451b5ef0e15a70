/** D240, D241, D345: two API processes, a worker and two voice nodes, each a process of its own, are one service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programMissing } from '../helpers/programs/programs.ts'
import { createTestDatabase } from '../helpers/run/test-database.ts'
import { keep } from '../sip/engine/engine-setup.ts'
import { startBaresip } from '../sip/peers/baresip.ts'
import { readWav, secondsOfTone } from '../sip/peers/tones.ts'
import { pickUp } from '../sip/worlds/two-baresips.ts'
import type { FleetProcess } from './fleet-process.ts'
import {
  alsoPlaying,
  domain,
  type FleetOffice,
  openFleetOffice,
  patience,
  playing,
  senha,
  type VoiceProcess,
} from './office.ts'

let office: FleetOffice
let database: Awaited<ReturnType<typeof createTestDatabase>>
let first: FleetProcess
let second: FleetProcess
let a: VoiceProcess
let b: VoiceProcess
beforeAll(async () => {
  database = await createTestDatabase()
  office = await openFleetOffice(database.url)
  first = await office.start('api')
  await office.open(first, ['1000', '1001', '1002', '1003', '1004'])
  ;[second, a, b] = await Promise.all([
    office.start('api'),
    office.startVoice('a', '27000-27099'),
    office.startVoice('b', '27100-27199'),
    office.start('worker'),
  ])
})
afterAll(async () => {
  await office.close()
  await database.drop()
})

describe.skipIf(programMissing('baresip'))('a phone at another node than its call', () => {
  test('transfers it: its node has the call to the new party, and both calls end together', async (context) => {
    const { call, place, startPhone } = office
    const ana = await startPhone('1002', a)
    const caio = await startPhone('1004', a, { hertz: 700 })
    const server = `${b.address}:${b.port}`
    const bia = keep(
      context,
      await startBaresip({ server, domain, extension: '1003', password: senha, hertz: 600 }),
    )
    // Stored a moment after the phone was answered; until then the other node finds no phone to ring.
    await expect.poll(() => office.registered(first), patience).toContain('1003')
    const talk = await place(first, '1002', '1003')
    await pickUp(bia)
    await expect.poll(async () => (await call(second, talk)).status, patience).toBe('answered')
    await bia.transfer(`sip:1004@${domain}`)
    await bia.closed()
    await expect.poll(() => ana.heard()?.tone?.hertz, patience).toBe(700)
    await expect.poll(() => caio.heard()?.tone?.hertz, patience).toBe(440)
    await expect.poll(async () => (await call(second, talk)).transfers, patience).toHaveLength(1)
    const [{ id: transferId }] = (await call(second, talk)).transfers
    expect(await call(first, transferId)).toMatchObject({
      transferred_from: talk,
      to: '1004',
      status: 'answered',
    })
    const nodes = await office.query(
      'select count(distinct node)::int as nodes from calls where id = any($1)',
      [[talk, transferId]],
    )
    expect(nodes).toEqual([{ nodes: 2 }])
    caio.hangUp()
    for (const id of [talk, transferId])
      await expect
        .poll(() => call(second, id), patience)
        .toMatchObject({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
    expect(await office.violations()).toEqual([])
  })
})

test('any API process places and hangs up for phones at any node, phones of two nodes talk, and a killed node takes nothing with it', async () => {
  const { call, hangUp, place, startPhone } = office
  const before = await office.callIds()
  const newCalls = async () => (await office.callIds()).filter((id) => !before.includes(id))
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
  expect(await newCalls()).toEqual([talk])

  // A node dies in the middle of a call; its phone registers at the other node and is called there at once.
  const cut = await place(second, '1001', playing)
  await expect.poll(async () => (await call(first, cut)).status, patience).toBe('answered')
  await b.stop('SIGKILL')
  const moved = await startPhone('1001', a, { hertz: 600 })
  const nodes = async () => await office.query('select count(distinct node)::int as nodes from registrations')
  await expect.poll(nodes, patience).toEqual([{ nodes: 1 }])
  const again = await place(first, '1001', alsoPlaying)
  await moved.until((event) => event.type === 'incoming' && event.callId === again)
  expect((await hangUp(second, again)).status).toBe(200)

  await expect.poll(async () => (await call(first, cut)).status, patience).toBe('completed')
  expect(await call(second, cut)).toMatchObject({ hangup_cause: 'RECOVERY_ON_TIMER_EXPIRE' })
  expect((await newCalls()).toSorted()).toEqual([talk, cut, again].toSorted())
  expect(await office.violations()).toEqual([])
}, 180_000)
