/**
 * Faults staged in a fleet that carries calls: every call must end and be reported once, no event may be lost, the books
 * must add up, and after each fault every phone is served again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { playing } from '../../../test/fleet/office.ts'
import { type DrillFleet, startDrillFleet } from './fleet.ts'

type Fault = { name: string; begin(): unknown; end(): unknown }

type Options = {
  databaseUrl: string
  /** How long each fault lasts. */
  seconds: number
  /** All faults at once, on different nodes, or one after the other. */
  together: boolean
  /** Only the faults whose names contain it. */
  only?: string
  note?: (line: string) => void
  /** Receives what ends everything that was started, for a run that is interrupted. */
  onStarted?: (close: () => Promise<void>) => void
}

export async function runDrills(options: Options) {
  const { databaseUrl, seconds, together, only = '', note = () => {}, onStarted } = options
  const fleet = await startDrillFleet(databaseUrl)
  onStarted?.(fleet.close)
  try {
    const violations: string[] = []
    const load = startLoad(fleet)
    const faults = faultsOf(fleet).filter(({ name }) => name.includes(only))
    const groups = together ? [faults.filter(({ name }) => atOnce.has(name))] : faults.map((fault) => [fault])
    for (const group of groups) {
      note(group.map(({ name }) => name).join(', '))
      await load.untilTalking()
      for (const { begin } of group) await begin()
      await sleep(seconds * 1000)
      for (const { end } of group) await end()
      await load.untilServed()
    }
    const placed = await load.stop()
    violations.push(...load.problems)
    await untilOver(fleet)
    const stored = new Set(await fleet.office.callIds())
    for (const id of placed)
      if (!stored.has(id)) violations.push(`call ${id} was accepted, and is not stored`)
    violations.push(...(await fleet.office.violations()))
    return { violations, calls: stored.size, faults: groups.flat().map(({ name }) => name) }
  } finally {
    await fleet.close()
  }
}

/** Faults of different parts of the fleet. */
const atOnce = new Set(['node a without the database', 'node b stopped', 'Redis stopped'])

function faultsOf({ nodes, apis, worker, redis, phones }: DrillFleet): Fault[] {
  const [a, b, c] = nodes
  if (!a || !b || !c) throw new Error('a fleet for drills has three voice nodes')
  const stopped = (name: string, { suspend, resume }: Pick<typeof worker, 'suspend' | 'resume'>) => ({
    name: `${name} stopped`,
    begin: suspend,
    end: resume,
  })
  const cut = (name: string, { machine }: typeof a) => ({
    name: `node ${name} without the database`,
    begin: () => machine.cutFromDatabase(true),
    end: () => machine.cutFromDatabase(false),
  })
  const isolate = (isolated: boolean) => {
    for (const { machine } of nodes) machine.isolate(isolated)
  }
  return [
    cut('a', a),
    stopped('node b', b),
    { name: 'Redis stopped', begin: redis.suspend, end: redis.resume },
    slow('Redis', redis),
    { name: 'nodes apart from each other', begin: () => isolate(true), end: () => isolate(false) },
    cut('c', c),
    stopped('worker', worker),
    {
      name: 'every voice node killed',
      begin: () => Promise.all(nodes.map(({ kill }) => kill())),
      async end() {
        // A killed node says nothing to its phones: people hang up when they hear nothing.
        for (const phone of phones) phone.hangUp()
        await Promise.all(nodes.map(({ startAgain }) => startAgain()))
      },
    },
    ...apis.map((api, index) => stopped(`api ${index + 1}`, api)),
  ]
}

/** Stopped for most of every half second, so that each answer takes as long. */
function slow(name: string, { suspend, resume }: Pick<DrillFleet['redis'], 'suspend' | 'resume'>): Fault {
  let pulse: NodeJS.Timeout | undefined
  return {
    name: `${name} slow`,
    begin() {
      suspend()
      pulse = setInterval(() => {
        resume()
        setTimeout(suspend, 20)
      }, 500)
    },
    async end() {
      clearInterval(pulse)
      await sleep(50)
      resume()
    },
  }
}

/** Every phone is called all the time, through either API process, to a number or to a colleague at another node. */
function startLoad({ office, anyApi, limited, phones }: DrillFleet) {
  const placed: string[] = []
  const problems: string[] = []
  const late: Promise<void>[] = []
  const talkingOf = new Map<string, number>()
  /** The last answer to a call of each phone. */
  const answers = new Map<string, string>()
  let isOver = false

  async function callAgain(phone: (typeof phones)[number]) {
    for (let round = 0; !isOver; round += 1) {
      const colleague = phones[(phones.indexOf(phone) + 1) % phones.length]?.extension ?? playing
      const called = round % 4 === 3 ? colleague : playing
      const answer = await place(phone.extension, called)
      answers.set(phone.extension, answer.text)
      if (answer.status !== 200) {
        await sleep(500)
        continue
      }
      placed.push(answer.id)
      await talk(phone.extension, answer.id)
    }
  }

  /** A request that fails, or is not answered in time, is repeated; a call that it places later is hung up. */
  async function place(
    extension: string,
    called: string,
  ): Promise<{ status: number; id: string; text: string }> {
    const request = anyApi().api.post('/calls', { extension, called }, office.as())
    const answer = await withinSeconds(5, request)
    if (!answer) late.push(request.then(hangUpLate, () => {}))
    const text = answer ? `${answer.status} ${JSON.stringify(answer.body)}` : 'no answer'
    return { status: answer?.status ?? 0, id: String(answer?.body.id ?? ''), text }
  }

  async function talk(extension: string, id: string) {
    for (let waited = 0; waited < 50 && !isOver; waited += 1) {
      const [row] = await office.query('select status from calls where id = $1', [id])
      if (row?.status === 'answered') talkingOf.set(extension, (talkingOf.get(extension) ?? 0) + 1)
      if (row?.status === 'answered' || !live.has(row?.status)) break
      await sleep(100)
    }
    await sleep(1_000)
    await hangUp(id)
  }

  async function hangUpLate({ status, body }: { status: number; body: { id?: string } }) {
    if (status !== 200 || body.id === undefined) return
    placed.push(body.id)
    await hangUp(body.id)
  }

  /** Requested again at any process until one has answered: the process may be stopped. */
  async function hangUp(id: string) {
    for (let tries = 0; tries < 60; tries += 1) {
      const answer = await withinSeconds(3, office.hangUp(anyApi(), id))
      if (answer?.status === 200 || answer?.status === 404) return
      await sleep(500)
    }
    problems.push(`call ${id} could not be hung up`)
  }

  /** Rate limits are counted, by Redis or without it, and delay nobody (D108). */
  async function readAgain() {
    for (; !isOver; await sleep(1_500)) {
      const answer = await withinSeconds(15, limited.api.get('/users/me', office.as()))
      if (answer?.status !== 200) problems.push(`a request with rate limits: ${answer?.status}`)
    }
  }

  /** Every phone has talked since. */
  async function untilServed() {
    const before = new Map(talkingOf)
    const waiting = () => phones.filter(({ extension }) => talkingOf.get(extension) === before.get(extension))
    for (let waited = 0; waiting().length > 0; waited += 1) {
      if (waited > 1_200) {
        for (const { extension } of waiting())
          problems.push(`phone ${extension} was not served within two minutes: ${answers.get(extension)}`)
        return
      }
      await sleep(100)
    }
  }

  const calling = [...phones.map(callAgain), readAgain()]
  return {
    problems,
    untilServed,
    untilTalking: untilServed,
    async stop(): Promise<string[]> {
      isOver = true
      await Promise.all(calling)
      await Promise.all(late)
      return placed
    },
  }
}

const live = new Set(['queued', 'ringing', 'connecting'])

/** Undefined if it fails, or takes longer. */
async function withinSeconds<T>(seconds: number, work: Promise<T>): Promise<T | undefined> {
  const late = sleep(seconds * 1000, undefined, { ref: false })
  return await Promise.race([work.catch(() => undefined), late])
}

/** Calls of a node that was stopped end when their lease has. */
async function untilOver({ office, anyApi }: DrillFleet) {
  const open = async () => await office.query('select id from calls where ended_at is null')
  for (let waited = 0; (await open()).length > 0 && waited < 600; waited += 1) {
    for (const { id } of await open()) await withinSeconds(5, office.hangUp(anyApi(), id))
    await sleep(100)
  }
}
