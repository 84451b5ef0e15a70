/**
 * The crash matrix. Calls are placed without pause while the processes that carry them and tell of them are killed:
 * at every step from the placing to the recorded delivery, and at any moment. Then everything settles, and is judged.
 *
 *   a while without kills ─▶ rounds of kills, each ended by a blackout of a minute ─▶ calls lapse ─▶ all is delivered
 *
 * The minute makes leases run out: processes started after it have a clock that is ahead.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWitness, type Witness } from './checking-receiver.ts'
import { type Gate, type Gates, gateNames, openGates } from './failpoints.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { findContradictions } from './invariants.ts'
import { createDice, type Dice } from './seeded-random.ts'
import { startTraffic, type Traffic } from './traffic.ts'

const fleetSize = 2
/** Longer than any lease. */
const blackoutSeconds = 60
const hitWithinMs = 15_000
const settleWithinMs = 240_000
/** Of those held up at a gate, this often all die and not one. */
const allShare = 0.25
const longestWaitMs = 300
const domain = 'padaria.ramal.localhost'
const hooks = {
  '/all': ['channel-create', 'channel-ringing', 'channel-answer', 'channel-hangup'],
  '/usual': ['channel-answer', 'channel-hangup'],
}
const otherSteps = ['sent: not yet answered', 'any moment'] as const
type Step = Gate | (typeof otherSteps)[number]
const steps: Step[] = [...gateNames, ...otherSteps]

type Options = {
  databaseUrl: string
  calls: number
  /** Blackouts. */
  rounds: number
  /** How often somebody is killed at each step. */
  turns: number
  seed: number
  note?: (line: string) => void
}
type World = {
  fleet: Fleet
  gates: Gates
  witness: Witness
  dice: Dice
  traffic: Traffic
  kills: Map<string, number>
}

export async function runCrashMatrix({ databaseUrl, calls, rounds, turns, seed, note = () => {} }: Options) {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-crash-'))
  const dice = createDice(seed)
  const gates = await openGates(databaseUrl)
  const witness = await startWitness()
  const secretKey = randomBytes(32).toString('hex')
  const fleet = createFleet({ databaseUrl, folder, size: fleetSize, secretKey })
  try {
    await fleet.full()
    const token = await openAccount(fleet, witness)
    const traffic = startTraffic({ fleet, token, dice })
    const kills = new Map<string, number>()
    const world = { fleet, gates, witness, dice, traffic, kills }
    await traffic.hurryTo(Math.ceil(calls / 10))
    const againUnkilled = [...witness.again]
    const plan = Array.from({ length: turns }, () => dice.shuffle(steps)).flat()
    for (let round = 1; round <= rounds; round++) {
      for (const step of plan.splice(0, Math.ceil(plan.length / (rounds - round + 1))))
        await strike(world, step)
      await traffic.hurryTo(Math.ceil((calls * round) / rounds))
      if (round === rounds) await traffic.stop()
      await fleet.blackout(blackoutSeconds)
      note(`round ${round} of ${rounds}: ${traffic.accepted.length} calls, ${fleet.born()} processes so far`)
      await fleet.full()
    }
    await settle(world, note)
    await fleet.full()
    const books = (await fleet.first()?.ask('books')) ?? ['nobody is there to ask']
    return {
      contradictions: [
        ...(await findContradictions(gates, witness, traffic.accepted)),
        ...traffic.faults,
        ...fleet.accidents,
        ...books,
        ...againUnkilled.map((id) => `${id} came twice before anything was killed`),
      ],
      accepted: traffic.accepted.length,
      unanswered: traffic.lost(),
      arrived: witness.arrivals.length,
      again: witness.again.length,
      kills: Object.fromEntries(kills),
      missed: steps.filter((step) => !kills.has(step)),
    }
  } finally {
    await fleet.close()
    await witness.stop()
    await gates.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function openAccount(fleet: Fleet, witness: Witness): Promise<string> {
  const member = fleet.first()
  if (!member) throw new Error('no process is there')
  const token = await member.ask('open', domain)
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
  await ask('POST', '/extensions', { ...person, ramal: '1000', senha: 's3nha-do-ramal' })
  fleet.use({ domain, number: '1000' })
  for (const [hook, webhookTypes] of Object.entries(hooks)) {
    const metadata = { webhookUrl: witness.url(hook), webhookTypes }
    const { secret } = await ask('PATCH', '/integrations', { gateway: hook, webhook: true, metadata })
    witness.trust(hook, secret)
  }
  return token
}

/** Waits for the step to be under way, and kills whoever is at it. */
async function strike(world: World, step: Step) {
  const { fleet, gates, witness, dice, kills } = world
  const count = (name: string) => kills.set(name, (kills.get(name) ?? 0) + 1)
  await waitFor(() => fleet.names().length >= 2 && fleet.carrierName() !== undefined)
  await new Promise((resolve) => setTimeout(resolve, dice.next() * longestWaitMs))
  if (step === 'any moment') {
    if (await fleet.kill(dice.pick(fleet.names()) ?? '')) count(step)
    return
  }
  const hit =
    step === 'sent: not yet answered'
      ? await witness.hold(hitWithinMs, () => killSome(fleet, fleet.names()))
      : await gates.hold(step, hitWithinMs, (names) =>
          killSome(fleet, dice.next() < allShare ? names : dice.shuffle(names).slice(0, 1)),
        )
  if (hit) count(step)
}

async function killSome(fleet: Fleet, names: string[]): Promise<boolean> {
  return (await Promise.all(names.map(fleet.kill))).includes(true)
}

/** Lost calls lapse, and whoever ends them is killed once; after a last blackout all that is left is delivered. */
async function settle({ fleet, gates, kills }: World, note: (line: string) => void) {
  const left = async (text: string) =>
    Number((await gates.query(`select count(*) from ${text}`)).rows[0]?.count)
  const live = () => left('calls where ended_at is null')
  note(`${await live()} calls were lost with those that carried them`)
  if ((await live()) > 0) {
    const hit = await gates.hold('ending: event being written', settleWithinMs, (names) =>
      killSome(fleet, names.slice(0, 1)),
    )
    if (hit) kills.set('lapsing: event being written', 1)
  }
  await waitFor(async () => (await live()) === 0)
  await fleet.blackout(blackoutSeconds)
  note(`${await left("deliveries where state = 'pending'")} deliveries are left`)
  await waitFor(async () => (await left("deliveries where state = 'pending'")) === 0)
}

async function waitFor(condition: () => Promise<boolean> | boolean) {
  for (const end = performance.now() + settleWithinMs; performance.now() < end; ) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  // Whoever judges afterwards says what is missing.
}
