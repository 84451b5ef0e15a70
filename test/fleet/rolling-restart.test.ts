/** D222: two API processes behind HAProxy, which polls `/ready`, are restarted one after the other under load. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { basePath } from '../../src/http/entry.ts'
import { createClient } from '../helpers/client.ts'
import { freePort } from '../helpers/free-port.ts'
import { programMissing } from '../helpers/programs.ts'
import { createTestDatabase } from '../helpers/test-database.ts'
import { startBalancer } from './balancer.ts'
import { openFleetOffice, patience } from './office.ts'

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

describe.skipIf(programMissing('haproxy'))('a rolling restart', () => {
  test('fails no request, and no call', async () => {
    const database = await createTestDatabase()
    closing.push(database.drop)
    const office = await openFleetOffice(database.url)
    closing.push(office.close)
    const ports = [await freePort(), await freePort()]
    const startApi = (port: number) => office.start('api', { PORT: String(port), DRAIN_NOTICE_SECONDS: '3' })
    const first = await startApi(ports[0] ?? 0)
    await office.open(first, ['1000'])
    const [second, node] = await Promise.all([
      startApi(ports[1] ?? 0),
      office.startVoice('node', '27400-27499'),
    ])
    await office.startPhone('1000', node, { answer: 'ask' })
    const balancer = await startBalancer(await freePort(), ports)
    closing.push(balancer.stop)
    const api = createClient(`${balancer.url}${basePath}`)
    const served = async () => (await api.get('/users/me', office.as()).catch(() => ({ status: 0 }))).status
    await expect.poll(served, patience).toBe(200)
    await office.place(second, '1000', '5548999998888').then((id) => office.hangUp(second, id))

    let isOver = false
    const failures: string[] = []
    let answered = 0
    async function request(name: string, send: () => ReturnType<typeof api.get>) {
      const answer = await send().catch((error: unknown) => ({ status: 0, body: { error: String(error) } }))
      if (answer.status === 200) answered += 1
      else {
        isOver = true
        failures.push(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`)
      }
      return answer
    }
    const read = async () => {
      for (; !isOver; await sleep(10)) await request('read', () => api.get('/calls?page=1', office.as()))
    }
    const calls: string[] = []
    const call = async () => {
      const wanted = { extension: '1000', called: '5548999998888' }
      for (; !isOver; await sleep(10)) {
        const { body } = await request('place', () => api.post('/calls', wanted, office.as()))
        const { id } = body
        if (!id) continue
        calls.push(id)
        await request('hang up', () => api.post(`/calls/${id}/hangup`, undefined, office.as()))
      }
    }
    const load = Promise.all([read(), read(), call()])
    for (const [index, running] of [first, second].entries()) {
      await running.stop('SIGTERM')
      await startApi(ports[index] ?? 0)
      // The next one stops when the balancer uses this one again.
      await expect.poll(balancer.text, patience).toContain(`Server api/api-${index + 1} is UP`)
    }
    await expect.poll(() => calls.length, patience).toBeGreaterThan(5)
    isOver = true
    await load
    expect(failures, balancer.text()).toEqual([])
    expect(answered).toBeGreaterThan(50)
    expect(await office.callIds()).toEqual(expect.arrayContaining(calls))
    expect(await office.violations()).toEqual([])
  }, 120_000)
})
