/** One run: offices are opened, people call while faults happen, all settles, and everything is read. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createSeededRandom } from '../../bench/parts/crash/seeded-random.ts'
import type { Entry, History, Rate } from '../audit/history.ts'
import { createGate, type Gate } from '../database/gate.ts'
import { startServer } from '../database/server.ts'
import { createBusyCounter } from '../world/answers.ts'
import { createClients } from '../world/clients.ts'
import { createFinalReader } from '../world/final-reader.ts'
import { createGateway } from '../world/gateway.ts'
import { createNumbers } from '../world/numbers.ts'
import { type Office, openOffices } from '../world/office.ts'
import { createOperator } from '../world/operator.ts'
import { createPeople } from '../world/people.ts'
import { createPhones } from '../world/phones.ts'
import { createReaders } from '../world/readers.ts'
import { createReceivers } from '../world/receivers.ts'
import { createRecordingStore } from '../world/recordings.ts'
import { createUpkeep } from '../world/upkeep.ts'
import { createWorld } from '../world/world.ts'
import { createFaults } from './faults.ts'
import { createFleet } from './fleet.ts'
import { simulateGlobals } from './globals.ts'
import { createScheduler } from './scheduler.ts'
import type { Parts, ServiceProcess } from './service-process.ts'

const startsAt = new Date('2026-11-17T12:00:00.000Z')
const lastCallsMs = 15_000
/** By then payments that were ordered before the first call are credited. */
const openingPaymentsMs = 18_000
/** Centavos. */
const minTopUp = 510
/** Calls after the faults: until those whose phones nobody hangs up are over, and when notices stop. */
const probesMs = 45_000
const noticesMs = 8_000
/** Longer than a call waits for its node, shorter than until a node is fenced. */
const unclaimedMs = 7_500
/** Longer than others wait for a process that has claimed what to ask the gateway for. */
const pollClaimMs = 330_000
const pollCheckMs = 10_000
/** Calls of smaller runs do not wait until a call for a number is given up, five minutes later. */
const callsForNumbers = 1_000
const feedReaders = ['crm', 'erp']

export type RunOptions = {
  calls: number
  seed: number
  /** A folder for the database and the data of the processes. */
  scratch: string
  /** New calls in a second. */
  rate: number
  /** Mean seconds between two faults; 0 for none. */
  faultEvery: number
  /** Real seconds after which no further call is made, however many were to be. */
  maxSeconds: number
  accounts: number
  /** Of each account. */
  extensions: number
  /** How long the run goes on after the last fault, and after the last call. */
  settleSeconds: number
  logLevel: Parts['logLevel']
  /** Called with a line for every statement that is run. */
  trace: ((line: string) => void) | undefined
  note(line: string): void
}

export async function run(options: RunOptions) {
  const { calls, seed, scratch, rate, faultEvery, maxSeconds, settleSeconds, logLevel, trace, note } = options
  const began = process.hrtime.bigint()
  const random = createSeededRandom(seed)
  const server = await startServer(join(scratch, 'database'), startsAt)
  const scheduler = createScheduler()
  simulateGlobals({ scheduler, random: createSeededRandom(seed ^ 0x5eed) })
  const world = createWorld({ scheduler, random, startsAt, hasFaults: () => faults.isOn() })
  const { processes, history } = world
  const people = createPeople(world)
  const phones = createPhones(world)
  const numbers = createNumbers(world)
  const receivers = createReceivers(world)
  // Where money never goes back, credit below zero is always a fault of the service.
  const isRefunded = (account: string) => offices.some((one) => one.domain === account && !one.isScarce)
  const { gateway, waiting, statusOf } = createGateway(world, isRefunded)
  const readers = createReaders(world)
  const gate: Gate = createGate({
    scheduler,
    random,
    server,
    time: world.time,
    faultFor: (owner, batch, isInTransaction) => faults.faultFor(owner, batch, isInTransaction),
    pause: (owner, isLong) => faults.pauseInTransaction(owner as ServiceProcess, isLong),
    kill: (owner) => fleet.kill(owner as ServiceProcess),
    trace:
      trace &&
      ((owner, { text }) => trace(`${scheduler.now().toFixed(6)} ${(owner as ServiceProcess).name} ${text}`)),
  })
  const fleet = createFleet({
    scheduler,
    random,
    processes,
    parts: {
      logLevel,
      databasePool: Math.max(5, Math.ceil(rate / 6)),
      // For three calls: an office that does not top up before it is used up has calls that wait for the same centavos.
      trialCredit: 0.4,
      dataDir: join(scratch, 'data'),
      scheduler,
      server,
      startsAt,
      openStream: gate.open,
      gateway,
      recordings: createRecordingStore(world),
      receivers: receivers.of,
      wrapHost: (owner, host) => people.wrap(owner, phones.wrap(owner, host)),
      onEngine(owner, engine) {
        people.onEngine(owner, engine)
        return numbers.wrap(owner, engine)
      },
    },
    closeConnections: gate.close,
    onKilled(killed) {
      people.onKilled(killed)
      phones.onKilled(killed)
      world.onKilled(killed)
    },
  })
  const faults = createFaults({
    scheduler,
    random,
    gate: () => gate,
    processes,
    kill: fleet.kill,
    stop: fleet.stop,
    restartAll: fleet.restartAll,
    isRolling: fleet.isRolling,
    everyMs: faultEvery * 1000,
  })

  /** Lets time pass until the work is done. */
  async function during<T>(work: Promise<T>): Promise<T> {
    let result: { value: T } | { error: unknown } | undefined
    work.then(
      (value) => {
        result = { value }
      },
      (error: unknown) => {
        result = { error }
      },
    )
    await scheduler.runUntil(() => result !== undefined)
    if (result && 'value' in result) return result.value
    throw result?.error
  }
  const elapse = (ms: number) => during(world.wait(ms))

  for (const slot of fleet.slots) {
    const started = fleet.start(slot)
    await scheduler.runUntil(() => started.isUp || started.failure !== undefined)
    if (started.failure) throw started.failure
  }
  note('three processes serve')
  const [first] = processes
  if (!first) throw new Error('no process serves')
  const offices = await during(openOffices({ world, first, plan: options, addHook: receivers.add }))
  for (const office of offices) for (const extension of office.extensions) phones.add(office, extension)
  const { whileBusy, busy } = createBusyCounter()
  const clients = createClients({ world, offices, people, phones, whileBusy })
  const upkeep = createUpkeep({ world, offices, whileBusy })
  const operator = createOperator({ world, offices, whileBusy })
  const rates = await during(readRates(offices[0]))
  const { readFinal } = createFinalReader({ world, readers, rates })
  await elapse(3_000)
  const topped = offices.filter(({ isScarce }) => !isScarce)
  // Not enough, so that they go on paying.
  const opening = ({ lowWater }: Office) => Math.max(minTopUp, Math.ceil(lowWater / 2))
  await during(Promise.all(topped.map((office) => upkeep.topUp(office, opening(office)))))
  await elapse(openingPaymentsMs)
  note('offices are open')

  let isCalling = true
  let isReading = true
  if (faultEvery > 0) faults.begin()
  function nextCall() {
    if (clients.made() >= calls || secondsSince(began) > maxSeconds) {
      isCalling = false
      return
    }
    clients.call()
    scheduler.schedule((-Math.log(1 - random.next()) * 1000) / rate, nextCall)
  }
  nextCall()
  for (const office of offices) keepReading(office)
  await scheduler.runUntil(() => !isCalling)
  note(`${clients.made()} calls were made in ${Math.round(scheduler.now() / 1000)} s of the run`)

  // Most calls end under faults too.
  if (faultEvery > 0) await elapse(lastCallsMs)
  isReading = false
  faults.end()
  // Clocks may differ by less than half a minute; beyond that a process is not ready (D516).
  for (const slot of fleet.slots) slot.clockOffsetMs = Math.max(-20_000, Math.min(20_000, slot.clockOffsetMs))
  await scheduler.runUntil(faults.isOver)
  await gate.setReadOnly(false)
  history.push({ kind: 'faults over', at: scheduler.now() })
  people.closeAt(scheduler.now() + 15_000)
  await elapse(15_000 + settleSeconds * 1000)
  people.closeAt(scheduler.now() + probesMs, 'patient')
  for (const office of offices)
    for (const extension of office.extensions) void clients.probe(office, extension)
  for (const office of offices) void numbers.probe(office, whileBusy)
  await elapse(noticesMs)
  // Calls are hung up without notices too.
  for (const one of processes) gate.silence(one, 'notices')
  await elapse(probesMs - noticesMs)
  leaveUnclaimed()
  await elapse(settleSeconds * 1000)
  await scheduler.runUntil(() => waiting() === 0 && busy() === 0)
  await during(followPayments())
  await during(numbers.settled())
  fleet.close()
  await during(readAll())
  note('all was read')
  await server.stop()

  const countOf = (kind: Entry['kind']) => history.filter((entry) => entry.kind === kind).length
  const hash = createHash('sha256')
  for (const entry of history) hash.update(JSON.stringify(entry))
  return {
    history: { rates, entries: history } satisfies History,
    hash: hash.digest('hex').slice(0, 16),
    figures: {
      calls: clients.made(),
      /** Others were refused: the database was away, a phone or the credit lacking. */
      rang: countOf('rang'),
      talked: countOf('talk'),
      simulatedSeconds: Math.round(scheduler.now() / 1000),
      statements: gate.statements(),
      events: scheduler.ran(),
      seconds: secondsSince(began),
      faults: faults.counts(),
    },
  }

  async function readRates(office: Office | undefined): Promise<Rate[]> {
    if (!office) return []
    const rate = await readers.fetch(office, '/rates?to=5548999990000')
    const minutePrice = Math.round(rate.minute_price * 10_000)
    return [{ ...rate, minutePrice }]
  }

  /** A process that is paused for less than its lease claims nothing: calls for its phones end by themselves, and their keys ring later. */
  function leaveUnclaimed() {
    const paused = random.pick([...processes])
    if (!paused) return
    const lines = offices.flatMap((office) =>
      office.extensions
        .filter(({ number }) => phones.lineOf(office.domain, number)?.process === paused)
        .map((extension) => ({ office, extension })),
    )
    faults.pause(paused, unclaimedMs)
    for (const { office, extension } of lines) void clients.probe(office, extension, 'unclaimed')
  }

  /** A process that asks the gateway has five minutes, in which no other asks: it may have been killed. */
  async function followPayments() {
    for (let waited = 0; waited < pollClaimMs; waited += pollCheckMs) {
      const charges = await Promise.all(offices.map((office) => readers.allPages(office, '/charges')))
      if (charges.flat().every(({ paymentId, status }) => status === statusOf(paymentId))) return
      await world.wait(pollCheckMs)
    }
  }

  function keepReading(office: Office) {
    const every = (ms: number, work: () => Promise<unknown>) => {
      scheduler.schedule(ms * (0.5 + random.next()), async () => {
        if (!isReading) return
        void work().finally(() => every(ms, work))
      })
    }
    // At the same moment, so that both give events their positions.
    every(2_000, () => Promise.all(feedReaders.map((reader) => readers.readFeed(office, reader))))
    every(1_200, () => readers.readLive(office, 'crm'))
    // Whole, so not too often in a long run.
    every(Math.max(20_000, (40 * calls) / rate), () => readers.readStatement(office, 'crm'))
    every(9_000, () => upkeep.change())
    every(15_000, () => operator.giveCredit())
    every(25_000, () => operator.refund())
    if (calls >= callsForNumbers) every(2_000, () => numbers.verify(office, whileBusy))
    every(3_000, async () => {
      const available = await readers.readBalance(office)
      const { lowWater } = office
      if (available !== undefined && available < lowWater)
        await upkeep.topUp(office, minTopUp + random.below(8 * lowWater))
    })
  }

  async function readAll() {
    for (const office of offices) {
      for (const reader of feedReaders) while (await readers.readFeed(office, reader));
      await readers.readStatement(office, 'crm')
      await readers.readBalance(office)
      history.push(await readFinal(office))
    }
    const at = scheduler.now()
    for (const one of processes) {
      const { status, body } = await world.ready(one)
      history.push({ kind: 'ready', at, process: one.slot.name, status, problems: [JSON.stringify(body)] })
    }
    const inCalls = [...processes].flatMap(({ engine }) => engine?.liveCalls() ?? [])
    history.push({ kind: 'phones in calls', at, calls: inCalls } satisfies Entry)
  }
}

const secondsSince = (began: bigint) => Number(process.hrtime.bigint() - began) / 1e9
