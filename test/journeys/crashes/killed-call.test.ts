/** A voice node killed in the middle of a call: the call ends once, its recording plays, its phone is still registered. */
import { afterAll, expect, test } from 'vitest'
import { toneSource } from '../../../src/engine/endpoint/audio/audio-source.ts'
import { createSoftphone, type PhoneEvent } from '../../../src/engine/endpoint/softphone/softphone.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { systemTimers } from '../../../src/kit/timers.ts'
import { freePort } from '../../helpers/programs/free-port.ts'
import { makeDataDir, runRamal, startRamal } from '../../helpers/programs/ramal-process.ts'
import { createJournal } from '../../sip/peers/journal.ts'
import { readWav, secondsOfTone } from '../../sip/peers/tones.ts'

const data = makeDataDir()
afterAll(data.remove)

const domain = 'padaria.ramal.localhost'
const senha = 'segredo-1000'

test('after kill -9 the call is over within a minute, recorded up to the kill, and the phone rings again', async () => {
  const port = await freePort()
  const env = { DATA_DIR: data.path, SIP_PORT: String(port), RTP_PORTS: '26000-26099' }
  const first = await startRamal(env)
  const { text } = await runRamal(['account', 'create', '--domain', domain, '--email', 'a@b.example'], env)
  const token = /Token\s+(\w{64})/.exec(text)?.[1] ?? ''
  const person = { first_name: 'Ana', last_name: 'Souza', email_address: 'a@b.example', gravar_audio: 1 }
  await first.api.post('/extensions', { ...person, ramal: '1000', senha }, { token })

  const events = createJournal<PhoneEvent>('softphone')
  const phone = await createSoftphone({
    extension: '1000',
    password: senha,
    domain,
    transport: 'udp',
    answer: 'auto',
    server: { address: '127.0.0.1', port },
    play: () => toneSource(440),
    timers: systemTimers,
    log: createLog('silent'),
    onEvent: events.write,
  })
  await events.until(({ type }) => type === 'registered')

  // Ends with 0009: the sandbox answers at once and plays 1000 Hz.
  const callRequest = { extension: '1000', called: '5548999990009' }
  const placed = await first.api.post('/calls', callRequest, { token })
  expect(placed.status).toBe(200)
  const { id } = placed.body
  // A recording is written every second: the last second may be lost.
  await expect.poll(() => phone.heard()?.soundSeconds ?? 0).toBeGreaterThan(3)
  await first.kill('SIGKILL')

  const second = await startRamal(env)
  const readCall = async () => (await second.api.get(`/calls/${id}`, { token })).body
  await expect.poll(async () => (await readCall()).status, { timeout: 60_000 }).toBe('completed')
  const call = await readCall()
  expect(call).toMatchObject({ hangup_cause: 'RECOVERY_ON_TIMER_EXPIRE' })
  await expect.poll(async () => (await readCall()).record_url, { timeout: 60_000 }).not.toBe('')
  const recording = await fetch((await readCall()).record_url)
  const { channels } = readWav(Buffer.from(await recording.arrayBuffer()))
  expect(secondsOfTone(channels[0] ?? new Int16Array(), 440)).toBeGreaterThan(1.5)
  expect(secondsOfTone(channels[1] ?? new Int16Array(), 1000)).toBeGreaterThan(1.5)

  // The phone got no BYE from the killed process, so it is still in the call and hangs up before the next one.
  phone.hangUp()
  const again = await second.api.post('/calls', callRequest, { token })
  expect(again.status).toBe(200)
  await events.until((event) => event.type === 'incoming' && event.callId === again.body.id)
  await phone.stop()
  await second.kill('SIGTERM')
}, 180_000)
