/** D502: three voice nodes are restarted one after the other under calls; phones on UDP know all of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { toneSource } from '../../src/engine/endpoint/audio/audio-source.ts'
import { createSoftphone, type Softphone } from '../../src/engine/endpoint/softphone/softphone.ts'
import { createLog } from '../../src/kit/process/log.ts'
import { systemTimers } from '../../src/kit/timers.ts'
import { freePort } from '../helpers/free-port.ts'
import { createTestDatabase } from '../helpers/test-database.ts'
import { domain, openFleetOffice, patience, senha, type VoiceProcess } from './office.ts'

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

type Server = { address: string; port: number }

/**
 * A phone with a list of servers, as one that follows SRV records: it registers at the next when one refuses or does not
 * answer. Its calls stay where they are.
 */
function startRoamingPhone(number: string, servers: Server[], first: number) {
  let index = first
  let isStopped = false
  const stops = new Set<() => Promise<void>>()
  const { promise: registered, resolve: onRegistered } = Promise.withResolvers<void>()

  /** `leave`: of the phone at the server before. */
  function connect(leave: () => void) {
    const server = servers[index % servers.length]
    if (!server || isStopped) return
    let calls = 0
    let isRefused = false
    let isElsewhere = false
    const stop = async () => void (stops.delete(stop) && (await (await phone).stop()))
    const leaveWhenIdle = () => void (isElsewhere && calls === 0 && stop())
    stops.add(stop)
    const phone: Promise<Softphone> = createSoftphone({
      extension: number,
      password: senha,
      domain,
      transport: 'udp',
      answer: 'auto',
      server,
      registerSeconds: 60,
      play: () => toneSource(440),
      timers: impatient,
      log: createLog('silent'),
      onEvent({ type }) {
        if (type === 'registered') {
          onRegistered()
          leave()
        }
        if (type === 'incoming') calls += 1
        if (type === 'ended') calls -= 1
        leaveWhenIdle()
        if (type !== 'registrationFailed' || isRefused) return
        isRefused = true
        index += 1
        connect(() => {
          isElsewhere = true
          leaveWhenIdle()
        })
      },
    })
  }
  connect(() => {})
  return {
    registered,
    server: () => index % servers.length,
    async stop() {
      isStopped = true
      await Promise.all([...stops].map((stop) => stop()))
    },
  }
}

/** Registrations of a minute are refreshed after five seconds. */
const impatient = {
  now: systemTimers.now,
  after: (ms: number, run: () => void) => systemTimers.after(ms > 20_000 ? ms / 6 : ms, run),
}

const extensions = Array.from({ length: 9 }, (_, index) => String(1000 + index))

test('a rolling restart of voice nodes refuses no call and cuts none: phones are moved before their node stops', async () => {
  const database = await createTestDatabase()
  closing.push(database.drop)
  const office = await openFleetOffice(database.url, { DRAIN_NOTICE_SECONDS: '1', CALLS_PER_ACCOUNT: '100' })
  closing.push(office.close)
  const api = await office.start('api')
  await office.open(api, extensions)
  const ports = [await freePort(), await freePort(), await freePort()]
  const start = (index: number) =>
    office.startVoice(`voice-${index}`, `${28_000 + index * 100}-${28_099 + index * 100}`, {
      settings: { SIP_PORT: String(ports[index]), SIP_HOST: '127.0.0.1' },
    })
  const [nodes] = await Promise.all([Promise.all([0, 1, 2].map(start)), office.start('worker')])
  const servers = nodes.map(({ address, port }) => ({ address, port }))
  const phones = extensions.map((number, index) => startRoamingPhone(number, servers, index))
  closing.push(() => Promise.all(phones.map((phone) => phone.stop())))
  await Promise.all(phones.map((phone) => phone.registered))
  const stored = () => office.query('select 1 from registrations')
  await expect.poll(stored, patience).toHaveLength(extensions.length)

  let isOver = false
  const refused: string[] = []
  const placed: string[] = []
  /** One call after the other for each phone, of two seconds: about three calls a second. */
  async function callAgain(extension: string, index: number) {
    for (let count = 0; !isOver; count += 1) {
      const called =
        `554899${String(index).padStart(2, '0')}${String(count % 100).padStart(2, '0')}009`.padEnd(13, '9')
      const { status, body } = await api.api.post('/calls', { extension, called }, office.as())
      if (status === 200) {
        placed.push(body.id)
        await sleep(2_000)
        await office.hangUp(api, body.id)
      } else refused.push(`${extension}: ${status} ${JSON.stringify(body)}`)
      await sleep(700)
    }
  }
  const load = Promise.all(extensions.map(callAgain))
  const running: VoiceProcess[] = [...nodes]
  for (const index of [0, 1, 2]) {
    const here = () => phones.filter((phone) => phone.server() === index).length
    expect(here(), `phones at node ${index}`).toBeGreaterThan(0)
    await running[index]?.stop('SIGTERM')
    expect(here(), `phones at node ${index} when it has stopped`).toBe(0)
    running[index] = await start(index)
  }
  isOver = true
  await load
  expect(refused).toEqual([])
  expect(placed.length).toBeGreaterThan(60)
  const over = () => office.query('select id from calls where ended_at is null')
  await expect.poll(over, patience).toEqual([])
  const cut = await office.query(
    `select extension_id, hangup_cause, status, started_at from calls where hangup_cause not in ('NORMAL_CLEARING', 'ORIGINATOR_CANCEL')`,
  )
  expect(cut).toEqual([])
  expect(await office.violations()).toEqual([])
}, 400_000)
