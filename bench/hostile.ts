/**
 * Effect on one account of others that do what costs most, as often as they can: it asks who it is and places calls,
 * whose phones answer and stay. Each p50 is compared with that of a quiet round; no call may be cut.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../test/helpers/programs/free-port.ts'
import { type Ask, askChild } from './parts/ask.ts'
import { startNode, stopChild } from './parts/children.ts'
import {
  addExtensions,
  type FullService,
  phonePassword,
  post,
  withFullService,
} from './parts/full-service/full-service.ts'
import { placeFromEach } from './parts/full-service/phones.ts'
import type { AttackerWork } from './parts/hostile/attacker-process.ts'
import type { Request, Statuses } from './parts/hostile/http-attacks.ts'
import { expectOnly, type Generator, withGenerator } from './parts/http-load/generator.ts'
import { belowLimit, type Job, writeRequest } from './parts/http-load/job.ts'
import { inTurn, median } from './parts/rounds.ts'
import { seedCalls } from './parts/seed-calls.ts'
import { api, password } from './parts/service.ts'
import { type SipEndpoints, trunkTo, withSipEndpoints } from './parts/sip-endpoints/sip-endpoints.ts'
import { alone, type Result } from './parts/table.ts'

const program = fileURLToPath(new URL('./parts/hostile/attacker-process.ts', import.meta.url))
const rounds = 3
const seconds = 5
/** Long enough for the attack to be under way. */
const headStartMs = 1_500
const attackSeconds = seconds + headStartMs / 1000 + 0.5
/** Below 15 calls a minute of each phone, and 3,000 requests of the account. */
const phones = { first: 1010, count: 50 }
const perSecond = { me: 20, place: 8 }
const accounts = 4
const loops = 16

type Account = { domain: string; admin: string }
type Target = { service: FullService; sipPort: number; attackers: Account[] }
type Attack = {
  /** Before the first round. */
  prepare?: (target: Target) => Promise<void>
  run: (ask: Ask<AttackerWork>, target: Target) => Promise<Statuses>
}

const openRoutes = ['/users/reset', '/users/resend-confirmation', '/users/set-password', '/accounts/signup']
const hostile = { number: '2000', connections: 12, seconds: attackSeconds }
const integrations: Request[] = []

const attacks = {
  bodies: {
    run: (ask, { service: { port } }) =>
      ask('holdBodies', {
        port,
        seconds: attackSeconds,
        connections: 1_600,
        addresses: 8,
        paths: openRoutes,
      }),
  },
  streams: { run: loopWith(({ admin: token }) => [{ method: 'GET', path: '/live', token }]) },
  events: {
    async prepare({ service, attackers }) {
      for (const { admin: token } of attackers) {
        const path = await addIntegration(service, token)
        integrations.push({ method: 'POST', path, token })
      }
    },
    run: loopWith(() => integrations),
  },
  exports: {
    prepare: ({ service, attackers }) =>
      seedCalls(
        service.folder,
        attackers.map(({ domain }) => ({ domain, calls: 20_000, metadataBytes: 3_000, indexValues: false })),
      ),
    run: loopWith(({ admin: token }) => [{ method: 'GET', path: '/calls?format=csv', token }]),
  },
  logins: {
    run: loopWith(({ domain }) => [
      {
        method: 'POST',
        path: '/users/login',
        body: { email: `admin@${domain.split('.', 1)[0]}.example`, password },
      },
    ]),
  },
  registrations: {
    prepare: addHostileExtension,
    run: (ask, { sipPort: port, attackers }) =>
      ask('attackBySip', { ...hostile, ...phoneOf(attackers), port, paceMs: 5 }),
  },
  // A message of 30 KB costs its address as much as 15 small ones.
  sdp: {
    prepare: addHostileExtension,
    run: (ask, { sipPort: port, attackers }) =>
      ask('attackBySip', { ...hostile, ...phoneOf(attackers), port, paceMs: 75, sdpBytes: 30_000 }),
  },
} satisfies Record<string, Attack>

function loopWith(requestsOf: (account: Account) => Request[]): Attack['run'] {
  return (ask, { service: { port }, attackers }) =>
    ask('loopRequests', { port, seconds: attackSeconds, loops, requests: attackers.flatMap(requestsOf) })
}

function phoneOf([attacker]: Account[]) {
  return { domain: attacker?.domain ?? '', password: phonePassword }
}

async function addHostileExtension({ service: { url }, attackers: [attacker] }: Target) {
  await addExtensions({ url, token: attacker?.admin ?? '' }, Number(hostile.number), 1, false)
}

/** The path of its test events. */
async function addIntegration({ url }: FullService, token: string): Promise<string> {
  // Nothing listens there: what is measured is not the receiver.
  const metadata = {
    webhookUrl: 'http://127.0.0.1:9/',
    webhookVersion: '1.8',
    webhookTypes: ['channel-hangup'],
  }
  const response = await fetch(`${url}${api}/integrations`, {
    method: 'PATCH',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ gateway: 'bench', webhook: true, metadata }),
  })
  const { id } = (await response.json()) as { id?: number }
  if (id === undefined) throw new Error(`an integration was answered ${response.status}`)
  return `/integrations/${id}/test`
}

const under = (name: keyof typeof attacks) => () => measureUnder(name, attacks[name])

export const hostileBenchmarks: Record<string, () => Promise<Result[]>> = {
  'hostile-bodies': under('bodies'),
  'hostile-streams': under('streams'),
  'hostile-events': under('events'),
  'hostile-exports': under('exports'),
  'hostile-logins': under('logins'),
  'hostile-registrations': under('registrations'),
  'hostile-sdp': under('sdp'),
}

function measureUnder(name: string, attack: Attack): Promise<Result[]> {
  return withSipEndpoints('without RTP', async (endpoints) => {
    const sipPort = await freePort()
    const env = {
      RATE_LIMITS: 'on',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SIP_PORT: String(sipPort),
      TRUNKS: trunkTo(endpoints),
    }
    return await withFullService({ engine: 'real', env }, (service) =>
      withGenerator('anywhere', async (load) => {
        await openOffice(service, endpoints, sipPort)
        const attackers: Account[] = []
        for (let made = 0; made < accounts; made++) attackers.push(await service.ask('openAccount'))
        const target = { service, sipPort, attackers }
        await attack.prepare?.(target)
        return await compare(name, attack, target, load)
      }),
    )
  })
}

async function openOffice(service: FullService, endpoints: SipEndpoints, port: number) {
  await addExtensions(service, phones.first, phones.count, false)
  const { first, count } = phones
  const { domain } = service
  await endpoints.ask('register', { port, domain, password: phonePassword, first, count, concurrency: 8 })
}

async function compare(name: string, attack: Attack, target: Target, load: Generator): Promise<Result[]> {
  const child = startNode({
    args: [program],
    place: 'anywhere',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  try {
    await once(child, 'message')
    const ask = askChild<AttackerWork>(child)
    const answered: Statuses = {}
    await measure(target.service, load)
    const pairs = await inTurn(
      rounds,
      () => measure(target.service, load),
      async () => {
        const under = attack.run(ask, target)
        await sleep(headStartMs)
        const figures = await measure(target.service, load)
        for (const [status, times] of Object.entries(await under)) {
          answered[status] = (answered[status] ?? 0) + times
        }
        return figures
      },
    )
    process.stderr.write(`(attackers got ${JSON.stringify(answered)}) … `)
    return report(name, pairs)
  } finally {
    await stopChild(child)
  }
}

type Figures = { me: number; place: number; cut: number }

async function measure(service: FullService, load: Generator): Promise<Figures> {
  const { port, token } = service
  const run = async (requests: Job['requests'], rate: number) => {
    const outcome = await load.run({
      port,
      connections: 16,
      seconds,
      perAddress: belowLimit,
      perSecond: rate,
      requests,
    })
    expectOnly(200, outcome)
    return outcome
  }
  const { id } = (await post(service, '/calls', { extension: `${phones.first}`, called: '5548999998888' }))
    .body
  if (id === undefined) throw new Error('the first call was refused')
  const [me, place] = await Promise.all([
    run([writeRequest({ path: `${api}/users/me`, token })], perSecond.me),
    run(placeFromEach({ first: phones.first + 1, count: phones.count - 1 }, token), perSecond.place),
  ])
  const live = await service.ask('liveCalls', service.domain)
  await service.ask('endAll')
  return { me: me.p50, place: place.p50, cut: place.answered + 1 - live }
}

function report(name: string, pairs: { baseline: Figures; ours: Figures }[]): Result[] {
  const names = { me: 'GET /users/me', place: 'POST /calls' }
  const ratios = (['me', 'place'] as const).map((figure): Result => {
    const words = (side: 'ours' | 'baseline') =>
      `${median(pairs.map((pair) => pair[side][figure])).toFixed(2)} ms`
    return {
      name: `hostile-${name}, ${names[figure]}, p50`,
      measured: words('ours'),
      baseline: `${words('baseline')} (quiet)`,
      values: pairs.map(({ ours, baseline }) => ours[figure] / baseline[figure]),
      target: { atMost: 2 },
    }
  })
  const cut = pairs.map(({ ours }) => ours.cut)
  return [...ratios, alone(`hostile-${name}, calls cut`, cut, '', { atMost: 0 })]
}
