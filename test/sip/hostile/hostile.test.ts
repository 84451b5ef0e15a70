/** What the open Internet does to a SIP port, at the running engine: it stays, and those who belong here are served. */
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep, openEngineSetup, soon, startDeskPhone, type TestScope } from '../engine/engine-setup.ts'
import { openCarrier } from '../engine/test-carrier.ts'
import { domain } from '../engine/test-host.ts'
import { startSipp } from '../peers/sipp.ts'
import { openConnection, openStranger, writeRequest } from '../peers/stranger.ts'

/** Only 127.0.0.1 counts as this machine: other loopback addresses stand for the Internet. */
const isThisMachine = (address: string) => address === '127.0.0.1'
const stranger = '127.0.0.2'

async function setUp(t: TestScope) {
  const carrier = await openCarrier(t, { answers: true })
  const office = keep(t, await openEngineSetup(carrier.port, { isThisMachine }))
  const desk = keep(t, await startDeskPhone(office))
  return {
    ...office,
    desk,
    come: async (address?: string) => keep(t, await openStranger(office.port, address)),
    connect: async (address?: string, port = office.port) => keep(t, await openConnection(port, address)),
    /** A call as any other, from its ringing to its end. */
    async callWorks() {
      const call = office.place()
      await call.until('answered')
      const before = desk.heard()?.packets ?? 0
      await soon(() => expect(desk.heard()?.packets ?? 0).toBeGreaterThan(before + 5))
      desk.hangUp()
      expect(await call.ended()).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
    },
  }
}

const register = (headers: string[] = []) => ({
  method: 'REGISTER',
  uri: `sip:${domain}`,
  from: `<sip:1000@${domain}>;tag=r`,
  to: `<sip:1000@${domain}>`,
  headers,
})

describe('a stranger', { concurrent: true }, () => {
  test('with the name of a scanner gets no response; others at its address do, since it may be forged', async (t) => {
    const { come, engine, callWorks } = await setUp(t)
    const [scanner, other] = [await come(stranger), await come(stranger)]
    const headers = ['User-Agent: friendly-scanner']
    for (let n = 0; n < 12; n += 1) scanner.send(scanner.request({ headers }))
    await soon(() => expect(engine.metrics().guard_scanner_total).toBe(12))
    expect(await other.ask()).toMatch(/^SIP\/2\.0 200/)
    expect(scanner.heard).toEqual([])
    expect(engine.metrics()).toMatchObject({ guard_silences_total: 0, sip_dropped_not_admitted_total: 12 })
    await callWorks()
  })

  test('with the name of a scanner is recognised on a connection too', async (t) => {
    const { connect, engine, callWorks } = await setUp(t)
    const scanner = await connect(stranger)
    scanner.write(writeRequest({ transport: 'TCP', headers: ['User-Agent: sipvicious'] }))
    await soon(() => expect(scanner.isOver()).toBe(true))
    expect(scanner.text()).toBe('')
    expect(engine.metrics()).toMatchObject({ guard_scanner_total: 1, sip_connections_cut_unwelcome_total: 1 })
    await callWorks()
  })

  test('that guesses passwords on one connection is blocked like any other', async (t) => {
    const { connect, engine, callWorks } = await setUp(t)
    const guesser = await connect(stranger)
    guesser.write(writeRequest({ ...register(), transport: 'TCP' }))
    await soon(() => expect(guesser.text()).toContain('nonce='))
    const nonce = /nonce="([^"]+)"/.exec(guesser.text())?.[1] ?? ''
    for (let n = 0; n < 200; n += 1) {
      const guess = randomBytes(16).toString('hex')
      const proof = `username="1000", realm="${domain}", nonce="${nonce}", uri="sip:${domain}"`
      const counted = `response="${guess}", qop=auth, cnonce="c", nc=${n.toString(16).padStart(8, '0')}`
      guesser.write(
        writeRequest({
          ...register([`Authorization: Digest ${proof}, ${counted}`]),
          transport: 'TCP',
          cseq: 2 + n,
          callId: 'guess',
        }),
      )
    }
    await soon(() => expect(guesser.isOver()).toBe(true))
    expect(engine.metrics().register_failures_total).toBeLessThanOrEqual(10)
    const again = await connect(stranger)
    await soon(() => expect(again.isOver()).toBe(true))
    await callWorks()
  })

  test('that opens hundreds of idle connections does not keep others out', async (t) => {
    const { connect, engine, pass, callWorks, ...office } = await setUp(t)
    const web = engine.ports().ws ?? 0
    keep(t, await startDeskPhone({ ...office, engine }, { transport: 'tcp', number: '1001' }))
    // The guard lets so few in that the engine itself must be tried by what it trusts.
    for (let n = 0; n < 700; n += 100) {
      await Promise.all(
        Array.from({ length: 100 }, (_, one) => connect('127.0.0.1', one % 2 ? web : undefined)),
      )
    }
    await Promise.all(Array.from({ length: 300 }, () => connect(stranger)))
    // Each is let in or kept out: 500 of this machine, the phone among them, and some of the stranger's 300.
    await soon(() => {
      const { sip_connections = 0, guard_flood_total = 0 } = engine.metrics()
      expect(sip_connections + guard_flood_total).toBe(500 + 300)
    })
    expect(engine.metrics().guard_flood_total).toBeGreaterThan(0)
    await soon(() => expect(engine.metrics().sip_connections_refused_source_full_total ?? 0).toBe(201))
    await callWorks()
    await pass(36)
    await soon(() =>
      expect(engine.metrics()).toMatchObject({ sip_connections: 1, sip_connections_unproven: 0 }),
    )
    expect(engine.registration({ domain, number: '1001' })).toBeDefined()
  })

  test('that sends as slowly as it can is disconnected, in every protocol', async (t) => {
    const { connect, engine, pass, callWorks } = await setUp(t)
    const web = engine.ports().ws ?? 0
    const slow = await Promise.all(Array.from({ length: 30 }, () => connect()))
    const endless = await Promise.all(Array.from({ length: 10 }, () => connect()))
    const bodiless = await Promise.all(Array.from({ length: 10 }, () => connect()))
    const browsers = await Promise.all(Array.from({ length: 10 }, () => connect(undefined, web)))
    for (const one of slow) for (const letter of 'OPTIONS sip:') one.write(letter)
    for (const one of endless) one.write(`OPTIONS sip:a SIP/2.0\r\n${'X-More: and more\r\n'.repeat(2000)}`)
    for (const one of bodiless) {
      one.write(writeRequest({ transport: 'TCP' }).replace('Content-Length: 0', 'Content-Length: 30000'))
    }
    for (const one of browsers) one.write('GET / HTTP/1.1\r\nHost: a\r\nUpgrade: webs')
    await soon(() => expect(endless.every((one) => one.isOver())).toBe(true))
    await callWorks()
    await pass(36)
    const all = [...slow, ...bodiless, ...browsers]
    await soon(() => expect(all.every((one) => one.isOver())).toBe(true))
    expect(engine.metrics()).toMatchObject({ sip_connections: 0, sip_connections_unproven: 0 })
    expect(engine.metrics().sip_connections_cut_unproven_total).toBe(50)
    expect(engine.metrics().sip_connections_cut_malformed_total).toBe(10)
  })

  test.for(['udp', 'tcp'] as const)('that sends nonsense by %s gets nowhere', async (transport, t) => {
    const { come, connect, engine, callWorks, calls } = await setUp(t)
    const someone = await come()
    for (const bytes of nonsense()) {
      if (transport === 'udp') someone.send(bytes.subarray(0, 65_507))
      else (await connect()).write(bytes)
    }
    expect(await someone.ask()).toMatch(/^SIP\/2\.0 200/)
    expect(engine.metrics().sip_dropped_malformed_total).toBeGreaterThan(15)
    expect(engine.metrics().sip_failed_total ?? 0).toBe(0)
    expect(calls).toEqual([])
    await callWorks()
  })
})

function nonsense(): Buffer[] {
  const body = `v=0\r\no=- 1 1 IN IP4 1.1.1.1\r\ns=-\r\n${'m=audio 1 RTP/AVP 0\r\n'.repeat(2000)}`
  const sdp = ['Content-Type: application/sdp']
  const texts = [
    writeRequest({ headers: Array.from({ length: 3000 }, (_, n) => `X-${n}: 1`) }),
    writeRequest({ headers: [`X: ${'a'.repeat(30_000)}`] }),
    writeRequest({ headers: [`Via: ${Array(500).fill('SIP/2.0/UDP a').join()}`] }),
    writeRequest({ uri: `sip:${'a'.repeat(5000)}` }),
    writeRequest({ uri: 'sip:a@b?X=%0d%0aBYE' }),
    writeRequest({ from: '<sip:a@b' }),
    writeRequest({ from: `"${'\\'.repeat(999)}" <sip:a@b>;tag=1` }),
    writeRequest({ cseq: 99_999_999_999 }),
    writeRequest({ method: 'INVITE', headers: sdp, body }),
    writeRequest({ method: 'INVITE', headers: sdp, body: 'v=0\r\n'.repeat(9000) }),
    writeRequest({ method: 'INVITE', headers: sdp, body: randomBytes(500).toString('latin1') }),
    writeRequest({ method: 'REGISTER', headers: ['Contact: *'] }),
    writeRequest({ method: 'REGISTER', headers: [`Authorization: Digest ${'a="b",'.repeat(2000)}`] }),
    writeRequest().replace('Content-Length: 0', 'Content-Length: -1'),
    writeRequest().replace('Content-Length: 0', 'Content-Length: 4294967296'),
    writeRequest().replace('Content-Length: 0', 'Content-Length: 0\r\nContent-Length: 9'),
    writeRequest().replace(/\r\nCall-ID.*/, ''),
    writeRequest().replaceAll('\r\n', '\n'),
    writeRequest().replace('SIP/2.0', 'SIP/9.9'),
    writeRequest().replace('OPTIONS ', 'OPTIONS'),
    'SIP/2.0 200 OK\r\n\r\n',
    'SIP/2.0 999 \r\nVia: SIP/2.0/UDP x\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: ramal\r\n\r\n',
    '\r\n'.repeat(30_000),
    'a',
  ]
  return [
    ...texts.map((text) => Buffer.from(text, 'latin1')),
    Buffer.alloc(65_536),
    Buffer.alloc(65_536, 0xff),
    Buffer.alloc(65_536, 'INVITE sip:a@b SIP/2.0\r\n'),
    Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc]),
    ...Array.from({ length: 20 }, () => randomBytes(1400)),
  ]
}

describe.skipIf(programMissing('sipp'))('SIPp as a scanner', { concurrent: true }, () => {
  test('does not get in by guessing, and is blocked', async (t) => {
    const { engine, phones, server, callWorks } = await setUp(t)
    const guesses = { scenario: 'scanner-guesses', remote: server, host: stranger, calls: 16, rate: 40 }
    const scanner = keep(t, await startSipp({ ...guesses, username: '1000', password: 'a guess' }))
    // Where it is not answered any more SIPp counts a failure, and it is ours to say who failed.
    expect((await scanner.finished).received('SIP/2.0 200')).toBe(0)
    expect(phones.map(({ type }) => type)).toEqual(['registered'])
    expect(engine.metrics().guard_silences_total).toBe(1)
    expect(engine.metrics().register_failures_total).toBeLessThanOrEqual(16)
    await callWorks()
  })

  test('cannot place calls', async (t) => {
    const { incomingCalls, calls, engine, server, callWorks } = await setUp(t)
    const dials = { scenario: 'scanner-dials', remote: server, host: stranger, calls: 16, rate: 40 }
    const scanner = keep(t, await startSipp({ ...dials, service: '900442012345678' }))
    await scanner.success()
    expect([incomingCalls, calls]).toEqual([[], []])
    expect(engine.metrics()).toMatchObject({ calls: 0, sip_legs: 0 })
    await callWorks()
  })

  test('may send OPTIONS, like anybody', async (t) => {
    const { server, callWorks } = await setUp(t)
    const asks = { scenario: 'scanner-asks', remote: server, host: stranger, calls: 5 }
    await keep(t, await startSipp(asks)).success()
    await callWorks()
  })
})

describe('a flood of 20,000 packets', () => {
  const packets = 20_000
  const mixed = (index: number) =>
    [
      () => writeRequest({ method: 'INVITE', headers: ['X-Pad: '.padEnd(400, 'x')] }),
      () => writeRequest(register()),
      () => writeRequest(),
      () => writeRequest({ method: 'BYE', to: '<sip:a@b>;tag=x' }),
      () => randomBytes(200),
    ][index % 5]?.() ?? ''

  test.for([
    ['a stranger costs next to nothing', stranger],
    ['this machine itself, whom nobody keeps out, is survived', '127.0.0.1'],
  ] as const)('from %s does not disturb calls', async ([, address], t) => {
    const { come, engine, pass, callWorks, isAtRest } = await setUp(t)
    await callWorks()
    await pass(40)
    const flooder = await come(address)
    const flood = flooder.flood(packets, mixed)
    await callWorks()
    await flood
    await callWorks()
    const figures = engine.metrics()
    if (address === stranger) {
      expect(figures.sip_dropped_not_admitted_total).toBeGreaterThan(packets / 4)
      expect(figures.sip_received_udp_total).toBeLessThan(1000)
    } else expect(figures.sip_received_udp_total).toBeGreaterThan(packets / 4)
    expect(figures).toMatchObject({ calls: 0, media_calls: 0 })
    expect(figures.sip_transactions_server).toBeLessThanOrEqual(packets)
    await isAtRest()
  })
})
