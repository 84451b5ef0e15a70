/** Attacks on a call in progress: ending it, taking it over, listening in, inserting sound. */
import { describe, expect, test } from 'vitest'
import { createPhone } from '../../../src/media/testing/phone.ts'
import {
  deskHertz,
  keep,
  openEngineSetup,
  soon,
  startDeskPhone,
  type TestScope,
} from '../engine/engine-setup.ts'
import { openCarrier } from '../engine/test-carrier.ts'
import { destination, domain } from '../engine/test-host.ts'
import { startLossyProxy } from '../peers/lossy-proxy.ts'
import { openStranger } from '../peers/stranger.ts'
import { channelOf, secondsOfTone } from '../peers/tones.ts'

const injectedHertz = 2000

/** The desk's packets pass by somebody who reads them all. */
async function setUp(t: TestScope, options: Parameters<typeof openEngineSetup>[1] = {}) {
  const carrier = await openCarrier(t, { answers: true })
  const office = keep(t, await openEngineSetup(carrier.port, options))
  const overheard: string[] = []
  const wire = keep(
    t,
    await startLossyProxy({
      target: office.port,
      fate(datagram) {
        overheard.push(`${datagram}`)
        return 'passes'
      },
    }),
  )
  const desk = keep(t, await startDeskPhone(office, { port: wire.port }))
  return {
    ...office,
    carrier,
    desk,
    stranger: keep(t, await openStranger(office.port)),
    /** The last that began so. */
    overheard: (beginning: string) => overheard.findLast((text) => text.startsWith(beginning)) ?? '',
    async talk() {
      const call = office.place({ record: true })
      await call.until('answered')
      await soon(() => expect(desk.heard()?.tone?.hertz).toBe(1000))
      return call
    },
  }
}

const header = (message: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1] ?? ''
const replaced = (message: string, changes: Record<string, string>) =>
  Object.entries(changes).reduce(
    (text, [name, value]) => text.replace(new RegExp(`^${name}: .*$`, 'm'), `${name}: ${value}`),
    message,
  )

describe('a stranger who knows only the Call-ID of a call', { concurrent: true }, () => {
  test('can neither end it nor change it', async (t) => {
    const { talk, overheard, stranger, desk, engine, isAtRest } = await setUp(t)
    const call = await talk()
    const ours = overheard('INVITE')
    const [callId, from, to] = [header(ours, 'Call-ID'), header(ours, 'From'), header(ours, 'To')]
    const sdp = `v=0\r\no=- 9 9 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio ${stranger.port} RTP/AVP 8\r\n`
    const headers = ['Content-Type: application/sdp']
    for (const method of ['BYE', 'INVITE', 'UPDATE', 'INFO', 'REFER', 'CANCEL']) {
      const body = method === 'INVITE' || method === 'UPDATE' ? { headers, body: sdp } : {}
      // As the phone would, with its tag guessed; as one who knows none; as one who takes the sides for each other.
      for (const ends of [
        { from: `${to};tag=guessed`, to: from },
        { from: `${to};tag=guessed`, to: `${from.replace(/;tag=.*/, '')};tag=guessed` },
        { from, to: `${to};tag=guessed` },
      ]) {
        expect(await stranger.ask({ method, callId, cseq: 99, ...ends, ...body })).toMatch(/^SIP\/2\.0 481/)
      }
    }
    stranger.send(stranger.request({ method: 'ACK', callId, from: `${to};tag=guessed`, to: from }))
    stranger.send(
      `SIP/2.0 200 OK\r\n${ours.split('\r\n').slice(1).join('\r\n')}`.replace(
        /branch=\S+/,
        'branch=z9hG4bKx',
      ),
    )
    await soon(() => expect(engine.metrics().sip_responses_unmatched_total).toBe(1))
    const before = desk.heard()?.soundSeconds ?? 0
    await soon(() => expect(desk.heard()?.soundSeconds).toBeGreaterThan(before + 0.5))
    expect(stranger.heard.some((text) => !text.startsWith('SIP/2.0 481'))).toBe(false)
    desk.hangUp()
    expect(await call.ended()).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
    await isAtRest()
  })

  test('cannot cancel it while it rings', async (t) => {
    const callId = 'dialled-by-the-desk'
    const limits = { ring: 20, answer: 20, talk: 60 }
    const accepted = {
      callId,
      destination: { number: destination },
      presented: undefined,
      record: false,
      limits,
    }
    const { desk, overheard, stranger, until, isAtRest } = await setUp(t, { admit: () => accepted })
    await desk.call(destination)
    await soon(() => expect(header(overheard('INVITE'), 'Proxy-Authorization')).toContain('response='))
    const invite = overheard('INVITE')
    const ends = { from: header(invite, 'From'), to: header(invite, 'To'), callId: header(invite, 'Call-ID') }
    const cancel = { method: 'CANCEL', uri: `sip:${destination}@${domain}`, cseq: 2, ...ends }
    expect(await stranger.ask(cancel)).toMatch(/^SIP\/2\.0 481/)
    await until(callId, 'answered')
    desk.hangUp()
    expect(await until(callId, 'ended')).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
    await isAtRest()
  })
})

describe('a replayed request', { concurrent: true }, () => {
  test('does not register another phone', async (t) => {
    const { overheard, stranger, engine } = await setUp(t)
    const extension = { domain, number: '1000' }
    const before = engine.registration(extension)
    const proven = overheard('REGISTER')
    expect(header(proven, 'Authorization')).toContain('response=')
    for (const [index, callId] of [header(proven, 'Call-ID'), 'another'].entries()) {
      const via = `SIP/2.0/UDP 127.0.0.1:${stranger.port};branch=z9hG4bKreplay${index};rport`
      const changes = { Via: via, 'Call-ID': callId, CSeq: '99 REGISTER' }
      const contact = `<sip:1000@127.0.0.1:${stranger.port}>`
      stranger.send(replaced(proven, { ...changes, Contact: contact }))
      await soon(() => expect(stranger.heard).toHaveLength(index + 1))
    }
    for (const answer of stranger.heard) expect(answer).toMatch(/^SIP\/2\.0 401/)
    expect(engine.registration(extension)).toEqual(before)
  })

  test('does not place another call', async (t) => {
    const { desk, overheard, stranger, incomingCalls, isAtRest } = await setUp(t, {
      admit: () => ({ rejected: 'UNALLOCATED_NUMBER' }),
    })
    await desk.call(destination)
    await desk.until(({ type }) => type === 'ended')
    expect(incomingCalls).toHaveLength(1)
    const proven = overheard('INVITE')
    expect(header(proven, 'Proxy-Authorization')).toContain('response=')
    const via = `SIP/2.0/UDP 127.0.0.1:${stranger.port};branch=z9hG4bKreplay;rport`
    stranger.send(replaced(proven, { Via: via, 'Call-ID': 'another' }))
    await soon(() => expect(stranger.heard.at(-1)).toMatch(/^SIP\/2\.0 407/))
    expect(incomingCalls).toHaveLength(1)
    await isAtRest()
  })
})

test('RTP of a third party reaches neither side nor the recording, and malformed RTCP is ignored', async (t) => {
  const { talk, overheard, carrier, desk, isAtRest } = await setUp(t)
  const call = await talk()
  const { call: theirs, invite } = await carrier.incoming(call.callId)
  const portIn = (text: string) => Number(/^m=audio (\d+)/m.exec(text)?.[1])
  const ports = [portIn(overheard('INVITE')), portIn(invite)]
  const voices = await Promise.all(ports.map(() => createPhone({ ssrc: 1 })))
  t.onTestFinished(async () => {
    for (const voice of voices) await voice.hangUp()
  })
  for (const [side, port] of ports.entries()) {
    voices[side]?.talk(port, injectedHertz)
    for (let n = 0; n < 200; n += 1) {
      voices[side]?.report(port + 1, Buffer.alloc(n * 7, n))
      voices[side]?.send(port, Buffer.alloc(n, 255 - n))
    }
    // A farewell in another's name.
    voices[side]?.report(port + 1, Buffer.from([0x81, 203, 0, 1, 0, 0, 0, 1]))
  }
  const before = desk.heard()?.seconds ?? 0
  await soon(() => expect(desk.heard()?.seconds).toBeGreaterThan(before + 2))
  expect(desk.heard()?.tone).toMatchObject({ hertz: 1000 })
  expect(desk.heard()?.tone?.share).toBeGreaterThan(0.9)
  expect(theirs.heard()?.tone).toMatchObject({ hertz: deskHertz })
  expect(theirs.heard()?.tone?.share).toBeGreaterThan(0.9)
  // Nor is anything sent to them.
  for (const voice of voices) expect([voice.received, voice.reports]).toEqual([[], []])
  desk.hangUp()
  const { recording, cause } = await call.ended()
  expect(cause).toBe('NORMAL_CLEARING')
  for (const [side, hertz] of [deskHertz, 1000].entries()) {
    const said = await channelOf(recording, side)
    expect(secondsOfTone(said, injectedHertz)).toBe(0)
    expect(secondsOfTone(said, hertz)).toBeGreaterThan(1.5)
  }
  await isAtRest()
})
