/**
 * Rating a call and paying for it must not limit how many calls are placed. Measures ratings against a deck of a hundred
 * thousand prefixes, and pairs of reserving and settling against pgbench's TPC-B with the same number of connections:
 * with one account for each call and with one account for all, in batches as the service does it and one by one. One by
 * one, the calls of an account wait for each other's commits; those figures show what batching saves.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createBilling } from '../src/billing/billing.ts'
import type { ReservationRequest } from '../src/billing/credit/credit.ts'
import { defaultBlocks } from '../src/billing/tariff/rate.ts'
import { createRateTable, type DatedRate } from '../src/billing/tariff/rate-table.ts'
import { systemClock } from '../src/kit/clock.ts'
import { uuidv7 } from '../src/kit/ids.ts'
import { createLog } from '../src/kit/process/log.ts'
import type { PaymentGateway } from '../src/payments/port.ts'
import { createBatcher } from '../src/store/batcher.ts'
import { openDatabase, openPool } from '../src/store/database.ts'
import { createSearches } from '../src/store/searches.ts'
import { inTurn, median } from './parts/rounds.ts'
import { startScratchDatabase } from './parts/scratch-database.ts'
import type { Result } from './parts/table.ts'

const rounds = 5
const roundsApart = 3
const seconds = 3
const prefixes = 100_000
const numbers = 10_000
const connections = 8
/** Calls in progress at the same time, as in a busy service. */
const callers = 64
const accounts = 1_000
const destination = '5548999998888'

export async function money(): Promise<Result[]> {
  return [ratings(), ...(await pairs())]
}

function ratings(): Result {
  const table = createRateTable(makeDeck())
  const asked = Array.from({ length: numbers }, (_, index) => `55${String(index * 7919).padStart(11, '1')}`)
  const at = Date.now()
  const values: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    let rated = 0
    let found = 0
    while (performance.now() - began < 1000) {
      for (const number of asked) if (table.find(number, at)) found += 1
      rated += asked.length
    }
    if (found < rated / 2) throw new Error('the deck rates less than half of the numbers')
    values.push(rated / ((performance.now() - began) / 1000))
  }
  return {
    name: 'money, ratings',
    measured: `${Math.round(median(values)).toLocaleString('en')}/s (${table.prefixes()} prefixes)`,
    baseline: '',
    values,
    unit: '/s',
    target: { atLeast: 200_000 },
  }
}

/** All prefixes of Brazil up to seven digits, as if every local exchange had its own price. */
function makeDeck(): DatedRate[] {
  return Array.from({ length: prefixes }, (_, index) => ({
    prefix: `55${String(index)}`,
    name: 'x',
    minutePrice: 100 + (index % 900),
    ...defaultBlocks,
    from: 0,
    until: Number.POSITIVE_INFINITY,
  }))
}

async function pairs(): Promise<Result[]> {
  const database = await startScratchDatabase()
  try {
    const address = await addressOf(database.pool)
    const tpcB = await preparePgbench(address)
    const pool = openPool({ connectionString: address }, { size: connections, onError: () => {} })
    try {
      const spread = await preparePairs(pool, accounts)
      const alone = await preparePairs(pool, 1)
      await inTurn(1, tpcB, spread.grouped)
      const target = { atLeast: 0.5 }
      return [
        resultOf(`pairs, ${accounts} accounts`, await inTurn(rounds, tpcB, spread.grouped), target),
        resultOf('pairs, one account', await inTurn(rounds, tpcB, alone.grouped), target),
        resultOf(`pairs apart, ${accounts} accounts`, await inTurn(roundsApart, tpcB, spread.apart)),
        resultOf('pairs apart, one account', await inTurn(roundsApart, tpcB, alone.apart)),
      ]
    } finally {
      await pool.end()
    }
  } finally {
    await database.stop()
  }
}

function resultOf(
  name: string,
  rows: { baseline: number; ours: number }[],
  target?: { atLeast: number },
): Result {
  return {
    name: `money, ${name}`,
    measured: `${median(rows.map(({ ours }) => ours)).toFixed(0)} pairs/s`,
    baseline: `${median(rows.map(({ baseline }) => baseline)).toFixed(0)} TPC-B/s (${connections} connections)`,
    values: rows.map(({ ours, baseline }) => ours / baseline),
    ...(target && { target }),
  }
}

type Pool = Awaited<ReturnType<typeof startScratchDatabase>>['pool']

async function addressOf(pool: Pool): Promise<string> {
  const { host, port, user, database } = pool.options
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host ?? '')}&port=${port}`
}

/** Reserves and settles, in batches as the voice module does it, or one by one. */
async function preparePairs(pool: ReturnType<typeof openPool>, count: number) {
  const db = openDatabase(pool)
  const notices = { listen: () => {}, onGap: () => {}, connected: () => true }
  const billing = createBilling({
    db,
    callsDb: db,
    searches: createSearches(db),
    notices,
    clock: systemClock,
    log: createLog('silent'),
    gateway: {} as PaymentGateway,
    customerOf: async () => undefined,
    trialCredit: 10_000_000_000,
    lowBalance: 0,
    onError: (error) => {
      throw error
    },
  })
  await billing.tariff.load()
  const ids = await addAccounts(db, count)
  for (const id of ids) await billing.ledger.grantTrialCredit(db, id)

  const reserveAll = async (requests: ReservationRequest[]): Promise<unknown[]> => {
    const { answers } = await db.transaction().execute((tx) => billing.credit.reserve(tx, requests))
    return requests.map(({ callId }) => answers.get(callId))
  }
  const settleAll = async (requests: ReservationRequest[]): Promise<unknown[]> => {
    const ended = requests.map((request) => ({ ...request, seconds: 60 }))
    const settled = await db.transaction().execute((tx) => billing.credit.settle(tx, ended))
    return requests.map(({ callId }) => settled.get(callId))
  }
  const first = async (answers: Promise<unknown[]>) => (await answers)[0]
  let next = 0

  type Serve = (request: ReservationRequest) => Promise<unknown>
  const run = (reserve: Serve, settle: Serve, atOnce: number) => async () => {
    let done = 0
    const began = performance.now()
    const caller = async () => {
      while (performance.now() - began < seconds * 1000) {
        next += 1
        const request = { accountId: ids[next % ids.length] ?? 0, callId: uuidv7(new Date()), destination }
        if (typeof (await reserve(request)) !== 'object') throw new Error('a call was not granted')
        if ((await settle(request)) === undefined) throw new Error('a call was not settled')
        done += 1
      }
    }
    await Promise.all(Array.from({ length: atOnce }, caller))
    return done / ((performance.now() - began) / 1000)
  }
  return {
    grouped: run(createBatcher(reserveAll), createBatcher(settleAll), callers),
    apart: run(
      (request) => first(reserveAll([request])),
      (request) => first(settleAll([request])),
      connections,
    ),
  }
}

async function addAccounts(db: ReturnType<typeof openDatabase>, count: number): Promise<number[]> {
  const now = new Date()
  const rows = await db
    .insertInto('accounts')
    .values(
      Array.from({ length: count }, (_, index) => ({
        uuid: uuidv7(now),
        domain: `bench-${count}-${index}.example`,
        name: 'x',
        email: 'x@y.example',
        phone: '1',
        crm: 'Outros',
        user_quantity: '1-5',
        time_zone: 'UTC',
        created_at: now,
        updated_at: now,
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The scale keeps pgbench's own rows from contention. */
async function preparePgbench(address: string) {
  const run = (...args: string[]) => promisify(execFile)('pgbench', [...args, address], { maxBuffer: 1e7 })
  await run('--initialize', '--quiet', `--scale=${2 * connections}`)
  return async () => {
    const { stdout } = await run(
      `--client=${connections}`,
      '--jobs=1',
      `--time=${seconds}`,
      '--protocol=prepared',
    )
    const rate = /tps = ([\d.]+)/.exec(stdout)?.[1]
    if (rate === undefined) throw new Error(`pgbench said:\n${stdout}`)
    return Number(rate)
  }
}
