/** `ramal nodes` and `ramal drain` beside the running service. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDataDir, runRamal, startRamal } from '../../helpers/programs/ramal-process.ts'
import { createClient } from '../../helpers/service/client.ts'

const data = makeDataDir()
const env = { DATA_DIR: data.path }
let ramal: Awaited<ReturnType<typeof startRamal>>

beforeAll(async () => {
  // Somebody asks for /ready here, but is no balancer that must notice.
  ramal = await startRamal({ ...env, DRAIN_NOTICE_SECONDS: '0' })
})
afterAll(async () => {
  await ramal.kill('SIGTERM')
  data.remove()
})

const listed = async () => JSON.parse((await runRamal(['nodes', '--json'], env)).text)
const ready = async () => (await createClient(ramal.url).get('/ready')).body

test('D249: nodes shows roles, state, calls, phones, version and clock; /metrics has the same', async () => {
  const [node] = await listed()
  expect(node).toMatchObject({
    roles: ['api', 'worker', 'voice'],
    state: 'active',
    alive: true,
    calls: 0,
    phones: 0,
    clockOffsetSeconds: expect.any(Number),
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    address: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
  })
  const table = (await runRamal(['nodes'], env)).text.split('\n')
  expect(table[0]).toMatch(/^NODE +MACHINE +ROLES +STATE +CALLS +PHONES +VERSION +CLOCK +SIP$/)
  expect(table[1]).toMatch(new RegExp(`^${node.id} .+ api,worker,voice +active +0 +0 +\\d`))

  const { body } = await ramal.operator.get('/metrics')
  expect(body).toContain(
    `ramal_node_info{id="${node.id}",version="${node.version}",roles="api,worker,voice"} 1`,
  )
  for (const [figure, value] of Object.entries({ alive: 1, draining: 0, calls: 0, phones: 0 })) {
    expect(body).toContain(`\nramal_node_${figure} ${value}\n`)
  }
  expect(body).toMatch(/\nramal_node_clock_offset_seconds -?\d/)
})

test('D248: drain makes a node not ready until it is undone', async () => {
  const drained = await runRamal(['drain'], env)
  expect(drained).toEqual({ code: 0, text: expect.stringMatching(/^\S{36} drains; its live calls: 0.\n$/) })
  const [{ id, state }] = await listed()
  expect([id, state]).toEqual([drained.text.slice(0, 36), 'draining'])
  await expect.poll(ready).toEqual({ status: 'not ready', waiting: ['draining'] })

  const undone = await runRamal(['drain', id.slice(0, 20), '--undo'], env)
  expect(undone).toEqual({ code: 0, text: `${id} takes work again.\n` })
  await expect.poll(ready).toEqual({ status: 'ready', waiting: [] })

  expect(await runRamal(['drain', 'nobody'], env)).toEqual({
    code: 1,
    text: `No living node is named nobody. See: ramal nodes\n`,
  })
})
