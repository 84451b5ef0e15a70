/**
 * D226: the release before this one and this one on one database: side by side, and while this one brings it up to date. That is tried
 * once in a run of all tests; UPGRADE_STARTS=10 tries it ten times, each on a new database.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plusSeconds } from '../../src/kit/clock.ts'
import { type FleetOffice, openFleetOffice, patience, playing, type VoiceProcess } from '../fleet/office.ts'
import { runRamal } from '../helpers/programs/ramal-process.ts'
import { type Receiver, startReceiver } from '../helpers/programs/receiver.ts'
import { createTestDatabase } from '../helpers/run/test-database.ts'
import { missingHistory, unpackPreviousVersion } from './previous-version.ts'

const starts = Number(process.env.UPGRADE_STARTS ?? 1)
const missing = missingHistory()
let previous: ReturnType<typeof unpackPreviousVersion>
const closing: (() => unknown)[] = []
// Packages are installed where its lockfile differs, once for all tests.
beforeAll(() => {
  if (missing !== undefined) return
  previous = unpackPreviousVersion()
  closing.push(previous.remove)
}, 600_000)
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

/** A call of a phone at `here`, watched and hung up at `there`, whose events and price both versions see. */
async function callAt(
  office: FleetOffice,
  receiver: Receiver,
  extension: string,
  here: VoiceProcess,
  there: VoiceProcess,
) {
  const phone = await office.startPhone(extension, here)
  const id = await office.place(here, extension, playing)
  await expect.poll(async () => (await office.call(there, id)).status, patience).toBe('answered')
  // Shorter calls are free.
  await expect.poll(() => phone.heard()?.soundSeconds ?? 0, patience).toBeGreaterThan(4)
  expect((await office.hangUp(there, id)).status).toBe(200)
  await phone.until(({ type }) => type === 'ended')
  const over = { status: 'completed', hangup_cause: 'NORMAL_CLEARING' }
  await expect.poll(async () => await office.call(there, id), patience).toMatchObject(over)
  const { call_price: price } = await office.call(there, id)
  expect(price).toBeGreaterThan(0)
  expect(await office.call(here, id)).toMatchObject({ ...over, call_price: price })
  const received = () =>
    receiver.received.filter(({ body }) => body.id === id).map(({ body }) => body.eventType)
  await expect.poll(received, patience).toEqual(['channel-answer', 'channel-hangup'])
  return { id, price }
}

const balanceAt = async (office: FleetOffice, at: VoiceProcess) =>
  (await at.api.get('/credits/balance', office.as())).body.balance

/** A charge made at `here` and paid at `there`. */
async function chargeAt(office: FleetOffice, here: VoiceProcess, there: VoiceProcess) {
  const before = await balanceAt(office, here)
  const dueDate = plusSeconds(new Date(), 2 * 86_400)
    .toISOString()
    .slice(0, 10)
  const order = { amount: 20, dueDate, paymentMethod: 'PIX', description: 'Créditos' }
  const made = await here.api.post('/charges', order, office.as())
  expect([made.status, made.body.status]).toEqual([200, 'PENDING'])
  const page = `${there.url}${new URL(made.body.paymentLink).pathname}`
  const form = new URLSearchParams({ do: 'pay', method: 'PIX' })
  expect((await fetch(page, { method: 'POST', body: form, redirect: 'manual' })).status).toBe(303)
  await expect.poll(() => balanceAt(office, there), patience).toBeCloseTo(before + 20)
  expect(await balanceAt(office, here)).toBeCloseTo(before + 20)
}

test('the previous release and this one place, end, report and charge on one database', async (t) => {
  t.skip(missing !== undefined, missing)
  const database = await createTestDatabase()
  closing.push(database.drop)
  const office = await openFleetOffice(database.url)
  closing.push(office.close)
  const receiver = await startReceiver()
  closing.push(receiver.stop)
  const roles = 'api,worker,voice'
  const first = await office.start('api')
  await office.open(first, ['1000', '1001'])
  const metadata = { webhookUrl: receiver.url, webhookTypes: ['channel-answer', 'channel-hangup'] }
  await first.api.patch('/integrations', { gateway: 'crm', webhook: true, metadata }, office.as())
  await first.stop('SIGTERM')
  const [before, now] = await Promise.all([
    office.startVoice('before', '27200-27299', { roles, where: { folder: previous.folder } }),
    office.startVoice('now', '27300-27399', { roles }),
  ])

  const calls = [
    await callAt(office, receiver, '1000', before, now),
    await callAt(office, receiver, '1001', now, before),
  ]
  const spent = calls.reduce((sum, { price }) => sum + price, 0)
  expect(await balanceAt(office, before)).toBeCloseTo(10 - spent)
  await chargeAt(office, before, now)
  await chargeAt(office, now, before)
  expect((await office.callIds()).toSorted()).toEqual(calls.map(({ id }) => id).toSorted())
  expect(await office.violations()).toEqual([])
  for (const folder of [previous.folder, undefined]) {
    expect(await runRamal(['ledger', 'verify'], office.env, { folder })).toMatchObject({ code: 0 })
  }
}, 120_000)

async function createEmptyDatabase() {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  await client.end()
  return database
}

const callers = ['1000', '1001', '1002', '1003', '1004']

/** The exit code of the migration, and the answers to calls meanwhile, by status. */
async function migrateUnderCalls() {
  const database = await createEmptyDatabase()
  const office = await openFleetOffice(database.url)
  try {
    const options = { roles: 'api,worker,voice', where: { folder: previous.folder } }
    const serving = await office.startVoice('previous', '28300-28399', options)
    await office.open(serving, callers)
    await Promise.all(callers.map((number) => office.startPhone(number, serving)))
    const answers: Record<string, number> = {}
    let isOver = false
    const callAgain = async (extension: string) => {
      for (; !isOver; await sleep(100)) {
        const wanted = { extension, called: playing }
        const headers = { 'X-Allow-Duplicate': 'true' }
        const { status, body } = await serving.api.post('/calls', wanted, { ...office.as(), headers })
        answers[status] = (answers[status] ?? 0) + 1
        if (status === 200) await office.hangUp(serving, body.id)
      }
    }
    const load = Promise.all(callers.map(callAgain))
    await expect.poll(() => answers[200] ?? 0, { timeout: 60_000 }).toBeGreaterThan(10)
    const { code, text } = await runRamal(['migrate'], office.env)
    isOver = true
    await load
    return { code, text, answers, violations: await office.violations() }
  } finally {
    await office.close()
    await database.drop()
  }
}

test('the database of the previous release is brought up to date while it serves calls, and no call is refused', async (t) => {
  t.skip(missing !== undefined, missing)
  for (let start = 1; start <= starts; start += 1) {
    const { code, text, answers, violations } = await migrateUnderCalls()
    expect([code, Object.keys(answers)], `start ${start}: ${text} ${JSON.stringify(answers)}`).toEqual([
      0,
      ['200'],
    ])
    expect(violations).toEqual([])
  }
}, 900_000)
