/**
 * D222, D502: every process of a fleet is restarted, one after the other, under calls: two API processes behind HAProxy,
 * which polls `/ready`, a worker, and three voice nodes, whose phones know all of them.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { basePath } from '../../src/http/entry.ts'
import { freePort } from '../helpers/programs/free-port.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { createTestDatabase } from '../helpers/run/test-database.ts'
import { createClient } from '../helpers/service/client.ts'
import { startBalancer } from './balancer.ts'
import { openFleetOffice, patience } from './office.ts'
import { startRoamingPhone } from './roaming-phone.ts'

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

const extensions = Array.from({ length: 9 }, (_, index) => String(1000 + index))

/** Two API processes behind a balancer, a worker and three voice nodes, each of which can be started again. */
async function openFleet() {
  const database = await createTestDatabase()
  closing.push(database.drop)
  const office = await openFleetOffice(database.url, { DRAIN_NOTICE_SECONDS: '1', CALLS_PER_ACCOUNT: '100' })
  closing.push(office.close)
  const apiPorts = [await freePort(), await freePort()]
  const sipPorts = [await freePort(), await freePort(), await freePort()]
  const startApi = (index: number) =>
    office.start('api', { PORT: String(apiPorts[index]), DRAIN_NOTICE_SECONDS: '3' })
  const startVoice = (index: number) =>
    office.startVoice(`voice-${index}`, `${28_000 + index * 100}-${28_099 + index * 100}`, {
      settings: { SIP_PORT: String(sipPorts[index]), SIP_HOST: '127.0.0.1' },
    })
  const first = await startApi(0)
  await office.open(first, extensions)
  const [second, worker, ...nodes] = await Promise.all([
    startApi(1),
    office.start('worker'),
    startVoice(0),
    startVoice(1),
    startVoice(2),
  ])
  const balancer = await startBalancer(await freePort(), apiPorts)
  closing.push(balancer.stop)
  return { office, apis: [first, second], worker, nodes, balancer, startApi, startVoice }
}
type Fleet = Awaited<ReturnType<typeof openFleet>>

/** One call after the other for each phone, of two seconds: about three calls a second; and lists all the time. */
function startLoad({ office, balancer }: Fleet) {
  const api = createClient(`${balancer.url}${basePath}`)
  const failures: string[] = []
  const placed: string[] = []
  let isOver = false

  async function request(name: string, send: () => ReturnType<typeof api.get>) {
    const answer = await send().catch((error: unknown) => ({ status: 0, body: { error: String(error) } }))
    if (answer.status !== 200) failures.push(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }

  async function read() {
    for (; !isOver; await sleep(50)) await request('list', () => api.get('/calls?page=1', office.as()))
  }

  async function callAgain(extension: string, index: number) {
    for (let count = 0; !isOver; count += 1) {
      const digits = `${String(index).padStart(2, '0')}${String(count % 100).padStart(2, '0')}`
      const called = `554899${digits}009`.padEnd(13, '9')
      const { status, body } = await request(`call of ${extension}`, () =>
        api.post('/calls', { extension, called }, office.as()),
      )
      if (status === 200) {
        placed.push(body.id)
        await sleep(2_000)
        await request('hang up', () => api.post(`/calls/${body.id}/hangup`, undefined, office.as()))
      }
      await sleep(700)
    }
  }

  const running = Promise.all([read(), ...extensions.map(callAgain)])
  return {
    failures,
    placed,
    async stop() {
      isOver = true
      await running
    },
  }
}

describe.skipIf(programMissing('haproxy'))('a rolling restart of every process', () => {
  test('refuses no request and no call, and cuts none: phones are moved before their node stops', async () => {
    const fleet = await openFleet()
    const { office, apis, worker, nodes, balancer, startApi, startVoice } = fleet
    const servers = nodes.map(({ address, port }) => ({ address, port }))
    const phones = extensions.map((number, index) => startRoamingPhone(number, servers, index))
    closing.push(() => Promise.all(phones.map((phone) => phone.stop())))
    await Promise.all(phones.map((phone) => phone.registered))
    const [api] = apis
    if (!api) throw new Error('no process serves the API')
    await expect.poll(() => office.registered(api), patience).toHaveLength(extensions.length)
    const isServed = async () => (await fetch(`${balancer.url}/ready`).catch(() => undefined))?.status
    await expect.poll(isServed, patience).toBe(200)

    const load = startLoad(fleet)
    for (const [index, node] of nodes.entries()) {
      const here = () => phones.filter((phone) => phone.server() === index).length
      expect(here(), `phones at node ${index}`).toBeGreaterThan(0)
      await node.stop('SIGTERM')
      expect(here(), `phones at node ${index} when it has stopped`).toBe(0)
      await startVoice(index)
    }
    await worker.stop('SIGTERM')
    await office.start('worker')
    for (const [index, api] of apis.entries()) {
      await api.stop('SIGTERM')
      await startApi(index)
      // The next one stops when the balancer uses this one again.
      await expect.poll(balancer.text, patience).toContain(`Server api/api-${index + 1} is UP`)
    }
    await load.stop()

    expect(load.failures, [...load.failures, balancer.text()].join('\n')).toEqual([])
    expect(load.placed.length).toBeGreaterThan(60)
    expect(await office.callIds()).toEqual(expect.arrayContaining(load.placed))
    const over = () => office.query('select id from calls where ended_at is null')
    await expect.poll(over, patience).toEqual([])
    const cut = await office.query(
      `select id, hangup_cause, status from calls where hangup_cause not in ('NORMAL_CLEARING', 'ORIGINATOR_CANCEL')`,
    )
    expect(cut).toEqual([])
    expect(await office.violations()).toEqual([])
  }, 400_000)
})
