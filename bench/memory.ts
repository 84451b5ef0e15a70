/**
 * Memory of the idle service: Node and its database. A first start compiles what it runs and keeps some of the memory that
 * took; a later start uses the compile cache. Then that of Node with registered phones and recorded calls.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freeNeighbours } from '../test/sip/peers/ports.ts'
import { copyExtension } from './parts/full-service/copy-extension.ts'
import { addExtensions, phonePassword, placeCalls } from './parts/full-service/full-service.ts'
import { familyOf, memoryOf } from './parts/process-figures.ts'
import { api, createAccount, inFolder, type Service, startService } from './parts/service.ts'
import { type SipEndpoints, startSipEndpoints, trunkTo } from './parts/sip-endpoints/sip-endpoints.ts'
import type { Result } from './parts/table.ts'

const idleMs = 10_000
const someRequests = 20
const maxMegabytes = { first: 150, later: 130 }
/** The phones have so many ports, and each port its share of the calls. */
const load = { ports: 5, phonesOfPort: 2_000, callsOfPort: 40, talkMs: 60_000, firstNumber: 100_000 }

export function memory(): Promise<Result[]> {
  return inFolder(async (folder) => {
    const first = await measure(folder, 'first')
    const later = await measure(folder, 'later')
    return [...first, ...later, await measureLoaded(folder)]
  })
}

async function measure(folder: string, when: keyof typeof maxMegabytes): Promise<Result[]> {
  const service = await startService({ folder, env: { NODE_COMPILE_CACHE: join(folder, 'compiled') } })
  try {
    const { token } = await createAccount(service, when)
    await askABit(service, token)
    await sleep(idleMs)
    const node = memoryOf(service.pid)
    const database = familyOf(service.pid).filter((pid) => pid !== service.pid)
    const pss = database.reduce((sum, pid) => sum + memoryOf(pid).pss, 0)
    return [
      absolute(`memory, ${when} start, Node, RSS`, node.rss, '', { below: maxMegabytes[when] }),
      absolute(`memory, ${when} start, Node, PSS`, node.pss, '', { below: maxMegabytes[when] }),
      absolute(`memory, ${when} start, PostgreSQL, PSS`, pss, ` (${database.length} processes)`, {
        below: 60,
      }),
    ]
  } finally {
    await service.stop()
  }
}

async function measureLoaded(folder: string): Promise<Result> {
  const endpoints = await Promise.all(Array.from({ length: load.ports }, () => startSipEndpoints('with RTP')))
  const [carrier] = endpoints
  const sipPort = await freeNeighbours(2)
  const service = await startService({
    folder,
    env: {
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      SIP_PORT: `${sipPort}`,
      TRUNKS: carrier ? trunkTo(carrier) : '',
      // One account could not place the calls otherwise.
      RATE_LIMITS: 'off',
    },
  })
  try {
    await registerAndCall(service, sipPort, endpoints)
    await countRtp(endpoints)
    await sleep(load.talkMs)
    const { rss } = memoryOf(service.pid)
    const { sent, received, streams } = await countRtp(endpoints)
    const calls = load.ports * load.callsOfPort
    if (streams !== 2 * calls) throw new Error(`${streams} streams, where ${2 * calls} should be`)
    if (received < sent * 0.9) throw new Error(`of ${sent} packets only ${received} came through`)
    const name = `memory, ${load.ports * load.phonesOfPort} phones and ${calls} calls, Node, RSS`
    return absolute(name, rss, '', { below: 250 })
  } finally {
    await service.stop()
    await Promise.all(endpoints.map(({ stop }) => stop()))
  }
}

async function registerAndCall(service: Service, port: number, endpoints: SipEndpoints[]) {
  const { firstNumber, phonesOfPort, callsOfPort } = load
  const { token } = await createAccount(service, 'loaded')
  const account = { url: service.url, token }
  await addExtensions(account, firstNumber, 1, true)
  await copyExtension(service.folder, firstNumber, endpoints.length * phonesOfPort)
  const firstOf = (index: number) => firstNumber + index * phonesOfPort
  for (const [index, { ask }] of endpoints.entries()) {
    await ask('register', {
      port,
      domain: 'loaded.ramal.localhost',
      password: phonePassword,
      first: firstOf(index),
      count: phonesOfPort,
      concurrency: 64,
    })
  }
  for (const index of endpoints.keys()) await placeCalls(account, firstOf(index), callsOfPort)
}

/** Packets of all endpoints since the last count, and their streams. */
async function countRtp(endpoints: SipEndpoints[]) {
  const counts = await Promise.all(endpoints.map(({ ask }) => ask('rtpCounts')))
  const sum = (name: 'sent' | 'received' | 'streams') =>
    counts.reduce((total, { [name]: value }) => total + value, 0)
  return { sent: sum('sent'), received: sum('received'), streams: sum('streams') }
}

async function askABit({ url }: Service, token: string) {
  for (let count = 0; count < someRequests; count++) {
    const path = count % 2 === 0 ? '/users/me' : '/users'
    const response = await fetch(`${url}${api}${path}`, { headers: { authorization: token } })
    await response.text()
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
  }
}

function absolute(name: string, value: number, more: string, target: { below: number }): Result {
  const measured = `${value.toFixed(0)} MB${more}`
  return { name, measured, baseline: '', values: [value], unit: 'MB', target }
}
