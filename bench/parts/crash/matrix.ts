/**
 * The crash matrix. Calls are placed continuously while the processes that run them and deliver their events are killed:
 * at every step from placing a call to recording its delivery, and at random moments. In the end the invariants are checked.
 *
 *   calls without kills ─▶ rounds of kills, each ended by a blackout of a minute ─▶ orphans are ended ─▶ all is delivered
 *
 * The blackout makes leases expire: a minute passes for the database, and processes started after it have a clock that
 * is a minute ahead.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { passDatabaseTime } from '../../../src/nodes/testing/database-time.ts'
import { type CheckingReceiver, startCheckingReceiver } from './checking-receiver.ts'
import { type Failpoint, type Failpoints, failpointNames, openFailpoints } from './failpoints.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { findViolations } from './invariants.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'
import { startTraffic, type Traffic } from './traffic.ts'

/** Longer than any lease. */
const blackoutSeconds = 60
const hitWithinMs = 15_000
const settleWithinMs = 240_000
/** The share of kills at a failpoint that kill all blocked processes instead of one. */
const allShare = 0.25
const longestWaitMs = 300
const domain = 'padaria.ramal.localhost'
const hooks = {
  '/all': ['channel-create', 'channel-ringing', 'channel-answer', 'channel-hangup'],
  '/usual': ['channel-answer', 'channel-hangup'],
}
const otherSteps = ['sent: not yet answered', 'any moment'] as const
type Step = Failpoint | (typeof otherSteps)[number]
const steps: Step[] = [...failpointNames, ...otherSteps]

type Options = {
  databaseUrl: string
  calls: number
  /** Processes with a phone. One has a second process beside it that delivers webhooks; several place calls for each other. */
  nodes?: number
  /** Blackouts. */
  rounds: number
  /** Kills at each step. */
  turns: number
  seed: number
  note?: (line: string) => void
}
type World = {
  fleet: Fleet
  failpoints: Failpoints
  receiver: CheckingReceiver
  random: SeededRandom
  traffic: Traffic
  kills: Map<string, number>
}

export async function runCrashMatrix(options: Options) {
  const { databaseUrl, calls, nodes = 1, rounds, turns, seed, note = () => {} } = options
  const folder = await mkdtemp(join(tmpdir(), 'ramal-crash-'))
  const random = createSeededRandom(seed)
  const failpoints = await openFailpoints(databaseUrl)
  const receiver = await startCheckingReceiver()
  const secretKey = randomBytes(32).toString('hex')
  const fleet = createFleet({ databaseUrl, folder, size: Math.max(2, nodes), secretKey })
  try {
    await fleet.untilFull()
    const token = await openAccount(fleet, receiver, nodes)
    const traffic = startTraffic({ fleet, token, random })
    const kills = new Map<string, number>()
    const world = { fleet, failpoints, receiver, random, traffic, kills }
    await traffic.placeUntil(Math.ceil(calls / 10))
    const repeatedBeforeKills = [...receiver.repeated]
    const plan = Array.from({ length: turns }, () => random.shuffle(steps)).flat()
    for (let round = 1; round <= rounds; round++) {
      for (const step of plan.splice(0, Math.ceil(plan.length / (rounds - round + 1))))
        await killAt(world, step)
      await traffic.placeUntil(Math.ceil((calls * round) / rounds))
      if (round === rounds) await traffic.stop()
      await fleet.blackout(blackoutSeconds)
      await passDatabaseTime(failpoints.query, blackoutSeconds)
      note(
        `round ${round} of ${rounds}: ${traffic.accepted.length} calls, ${fleet.started()} processes so far`,
      )
      await fleet.untilFull()
    }
    await settle(world, note)
    await fleet.untilFull()
    const moneyFindings = (await fleet.first()?.ask('verifyMoney')) ?? ['no process is running']
    return {
      violations: [
        ...(await findViolations(failpoints, receiver, traffic.accepted)),
        ...traffic.faults,
        ...fleet.unexpectedExits,
        ...moneyFindings,
        ...repeatedBeforeKills.map((id) => `${id} was delivered twice before anything was killed`),
      ],
      accepted: traffic.accepted.length,
      unanswered: traffic.lost(),
      refused: traffic.refused(),
      arrived: receiver.arrivals.length,
      repeated: receiver.repeated.length,
      kills: Object.fromEntries(kills),
      missed: steps.filter((step) => !kills.has(step)),
    }
  } finally {
    await fleet.close()
    await receiver.stop()
    await failpoints.close()
    await rm(folder, { recursive: true, force: true })
  }
}

export async function openAccount(fleet: Fleet, receiver: CheckingReceiver, phones: number): Promise<string> {
  const member = fleet.first()
  if (!member) throw new Error('no process is running')
  const token = await member.ask('openAccount', domain)
  const ask = async (method: string, path: string, body: object) => {
    const headers = { authorization: token, 'content-type': 'application/json' }
    const response = await fetch(`${member.url}/api/v1${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} was answered ${response.status} ${await response.text()}`)
    return (await response.json()) as { secret: string }
  }
  const person = { first_name: 'Ana', last_name: 'Souza', email_address: `ana@${domain}` }
  const numbers = Array.from({ length: phones }, (_, index) => String(1000 + index))
  for (const ramal of numbers) await ask('POST', '/extensions', { ...person, ramal, senha: 's3nha-do-ramal' })
  fleet.placeCallsFrom(numbers.map((number) => ({ domain, number })))
  for (const [hook, webhookTypes] of Object.entries(hooks)) {
    const metadata = { webhookUrl: receiver.url(hook), webhookTypes }
    const { secret } = await ask('PATCH', '/integrations', { gateway: hook, webhook: true, metadata })
    receiver.trust(hook, secret)
  }
  return token
}

/** Waits until a process reaches the step, and kills it there. */
async function killAt(world: World, step: Step) {
  const { fleet, failpoints, receiver, random, kills } = world
  const count = (name: string) => kills.set(name, (kills.get(name) ?? 0) + 1)
  await waitFor(() => fleet.names().length >= 2 && fleet.isServed())
  await new Promise((resolve) => setTimeout(resolve, random.next() * longestWaitMs))
  if (step === 'any moment') {
    if (await fleet.kill(random.pick(fleet.names()) ?? '')) count(step)
    return
  }
  const hit =
    step === 'sent: not yet answered'
      ? await receiver.hold(hitWithinMs, () => killSome(fleet, fleet.names()))
      : await failpoints.hold(step, hitWithinMs, (names) =>
          killSome(fleet, random.next() < allShare ? names : random.shuffle(names).slice(0, 1)),
        )
  if (hit) count(step)
}

async function killSome(fleet: Fleet, names: string[]): Promise<boolean> {
  return (await Promise.all(names.map(fleet.kill))).includes(true)
}

/** Waits until orphaned calls are ended, killing the process that does it once, and all deliveries are done. */
async function settle({ fleet, failpoints, kills }: World, note: (line: string) => void) {
  const left = async (text: string) =>
    Number((await failpoints.query(`select count(*) from ${text}`)).rows[0]?.count)
  const live = () => left('calls where ended_at is null')
  note(`${await live()} calls are orphaned`)
  if ((await live()) > 0) {
    const hit = await failpoints.hold('ending: event being written', settleWithinMs, (names) =>
      killSome(fleet, names.slice(0, 1)),
    )
    if (hit) kills.set('orphan sweep: event being written', 1)
  }
  await waitFor(async () => (await live()) === 0)
  await fleet.blackout(blackoutSeconds)
  note(`${await left("deliveries where state = 'pending'")} deliveries are left`)
  await waitFor(async () => (await left("deliveries where state = 'pending'")) === 0)
}

export async function waitFor(condition: () => Promise<boolean> | boolean) {
  for (const end = performance.now() + settleWithinMs; performance.now() < end; ) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  // On a timeout the invariants report what is missing.
}
