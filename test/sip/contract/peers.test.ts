/** The peers of our tests against each other: only peers that work prove anything about our engine. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { programMissing } from '../../helpers/programs/programs.ts'
import { type Asterisk, asteriskMissing, startAsterisk } from '../peers/asterisk.ts'
import { startBaresip } from '../peers/baresip.ts'
import { startJsSip } from '../peers/jssip.ts'
import { chance, losing, losingFirstCopies, startLossyProxy } from '../peers/lossy-proxy.ts'
import { runSipp, startSipp } from '../peers/sipp.ts'
import { secondsOfTone } from '../peers/tones.ts'

const domain = 'peer.test'
const account = { username: '1001', password: 'a-secret-of-ten' }
const credentials = { domain, extension: account.username, password: account.password }
const peers: { stop(): Promise<unknown> }[] = []

afterEach(async () => {
  for (const peer of peers.splice(0).reverse()) await peer.stop()
})

function keep<Witness extends { stop(): Promise<unknown> }>(peer: Witness): Witness {
  peers.push(peer)
  return peer
}

/** A party that only counts. */
async function listen() {
  const socket = createSocket('udp4')
  const heard: string[] = []
  socket.on('message', (datagram) => heard.push(`${datagram}`))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    heard,
    port: socket.address().port,
    send: (text: string, port: number) => socket.send(text, port, '127.0.0.1'),
    async stop() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

const withoutAsterisk = asteriskMissing()
const withoutBaresip = programMissing('baresip')
const withoutSipp = programMissing('sipp')

/** The registrar of all; a test reads its events from where they stood when it began. */
let asterisk: Asterisk
let after = 0

beforeAll(async () => {
  if (withoutAsterisk) return
  asterisk = await startAsterisk({
    accounts: [account],
    acts: { 1000: { hertz: 1000, records: true }, 1001: { refuses: 17 }, 1002: { rings: 'for ever' } },
  })
})
beforeEach(() => {
  after = asterisk?.events.length ?? 0
})
afterAll(() => asterisk?.stop())

/** Until something takes as long as it takes. */
const heardFor = (listen: () => Promise<Int16Array>, hertz: number) =>
  expect.poll(async () => secondsOfTone(await listen(), hertz), { timeout: 10_000 })

describe.skipIf(withoutAsterisk || withoutBaresip)('baresip and Asterisk', () => {
  test.each(['udp', 'tcp'] as const)('over %s, each hears the tone of the other', async (transport) => {
    const phone = keep(
      await startBaresip({ ...credentials, server: `127.0.0.1:${asterisk.port}`, transport, hertz: 440 }),
    )
    await phone.registered()
    await phone.dial('1000')
    await phone.established()
    await heardFor(phone.heard, 1000).toBeGreaterThan(0.5)
    await phone.press('5')
    await asterisk.until(({ Event, Digit }) => Event === 'DTMFEnd' && Digit === '5', { after })
    await phone.hangUp()
    const { Uniqueid = '' } = await asterisk.arrival('1000', after)
    expect(secondsOfTone(await asterisk.heard(Uniqueid), 440)).toBeGreaterThan(0.2)
  })

  test('a phone answered by hand, a wrong password, a busy phone', async () => {
    const server = `127.0.0.1:${asterisk.port}`
    const phone = keep(await startBaresip({ ...credentials, server }))
    await phone.registered()
    const channel = await asterisk.originate({ from: account.username, thenActs: '1000' })
    await phone.incoming()
    await phone.accept()
    await asterisk.answered(channel)
    await phone.hangUp()
    await asterisk.ended(channel)
    const seen = phone.events.length
    await phone.dial('1001')
    expect(await phone.closed(seen)).toMatchObject({ param: '486 Busy Here' })
    const stranger = keep(await startBaresip({ ...credentials, password: 'no', server }))
    expect(await stranger.refused()).toMatchObject({ param: '401 Unauthorized' })
  })
})

describe.skipIf(withoutAsterisk)('Asterisk and Asterisk', () => {
  test('one registers with the other and answers as a phone', async () => {
    const phone = keep(
      await startAsterisk({
        lines: [{ ...account, domain, server: `127.0.0.1:${asterisk.port}`, answersAs: 'mine' }],
        acts: { mine: { rings: 0.1, hertz: 440, talks: 1, endsWith: 41 } },
      }),
    )
    await phone.lineRegistered(account.username)
    const channel = await asterisk.originate({ from: account.username, thenActs: '1000' })
    expect(await asterisk.ended(channel)).toBe(41)
    expect(secondsOfTone(await asterisk.heard(channel), 440)).toBeGreaterThan(0.5)
  })

  test('a carrier with a password is called with it, and not without', async () => {
    const carrier = keep(
      await startAsterisk({ challenge: account, acts: { 1000: { hertz: 1000, talks: 0.2 } } }),
    )
    const proven = keep(
      await startAsterisk({
        acts: { mine: { hertz: 440 } },
        lines: [{ ...account, domain, server: `127.0.0.1:${carrier.port}`, answersAs: 'mine' }],
      }),
    )
    const to = `sip:1000@${domain}`
    const line = `line-${account.username}`
    expect(await proven.ended(await proven.originate({ from: line, to, thenActs: 'mine' }))).toBe(16)
    const stranger = { from: 'carrier', to: `sip:1000@127.0.0.1:${carrier.port}`, thenActs: 'mine' }
    expect(await proven.ended(await proven.originate(stranger))).toBe(21)
  })
})

describe.skipIf(withoutAsterisk || withoutSipp)('SIPp and Asterisk', () => {
  test('SIPp calls, is refused, gives up, and is heard', async () => {
    const remote = `127.0.0.1:${asterisk.port}`
    await runSipp({ scenario: 'caller-calls', remote, service: '1000', pause: 700, hertz: 440 })
    const { Uniqueid = '' } = await asterisk.arrival('1000', after)
    expect(secondsOfTone(await asterisk.heard(Uniqueid), 440)).toBeGreaterThan(0.2)
    await runSipp({ scenario: 'caller-is-refused', remote, service: '1001', keys: { status: 486 } })
    await runSipp({ scenario: 'caller-gives-up', remote, service: '1002' })
  })

  test('SIPp registers as a phone, is called on the same port, and unregisters', async () => {
    const remote = `127.0.0.1:${asterisk.port}`
    const phone = { scenario: 'phone-registers', remote, ...account }
    const { port } = await runSipp({ ...phone, keys: { extension: account.username } })
    const callee = keep(
      await startSipp({ scenario: 'callee-hangs-up', port, keys: { reason: 'Q.850;cause=34' } }),
    )
    const channel = await asterisk.originate({ from: account.username, thenActs: '1000' })
    await callee.success()
    expect(await asterisk.ended(channel)).toBe(34)
    await runSipp({ ...phone, port, keys: { extension: account.username, expires: 0 } })
    await asterisk.until(
      ({ Event, ContactStatus }) => Event === 'ContactStatus' && ContactStatus === 'Removed',
    )
  })
})

describe('the lossy proxy', () => {
  test('it loses, doubles and delays packets as configured, the same for every client, and invents none', async () => {
    const target = keep(await listen())
    const fate = chance({ loss: 0.2, duplication: 0.1, reordering: 0.1, seed: 7 })
    const proxy = keep(await startLossyProxy({ target: target.port, fate }))
    const clients = [keep(await listen()), keep(await listen())]
    for (let number = 0; number < 500; number += 1) {
      for (const client of clients) client.send(`${number}`, proxy.port)
      // A burst would be lost to the kernel's buffers.
      if (number % 5 === 0) await setImmediate()
    }
    const { counts } = proxy
    const total = () => counts.passes + counts.lost + counts.doubled + counts.late
    await expect.poll(total).toBe(1000)
    await expect.poll(() => target.heard.length).toBe(1000 - counts.lost + counts.doubled)
    expect(counts.lost).toBeGreaterThan(150)
    expect(counts.lost).toBeLessThan(250)
    expect(counts.doubled).toBeGreaterThan(60)
    expect(counts.late).toBeGreaterThan(60)
    const numbers = target.heard.map(Number)
    expect(numbers).not.toEqual(numbers.toSorted((one, other) => one - other))
  })
})

describe.skipIf(withoutSipp)('SIPp and SIPp, the lossy proxy between them', () => {
  test('calls succeed despite the losses', async () => {
    const callee = keep(await startSipp({ scenario: 'callee-answers-patiently', calls: 1000, pause: 0 }))
    const fate = losingFirstCopies(0.3, 7)
    const proxy = keep(await startLossyProxy({ target: callee.port, fate }))
    const remote = `127.0.0.1:${proxy.port}`
    const { successful, retransmissions } = await runSipp({
      scenario: 'caller-calls',
      remote,
      calls: 20,
      rate: 20,
    })
    expect(successful).toBe(20)
    expect(retransmissions).toBeGreaterThan(0)
    expect(proxy.counts.lost).toBeGreaterThan(0)
  })

  test('it can lose exactly one chosen message', async () => {
    const callee = keep(await startSipp({ scenario: 'callee-answers', pause: 0 }))
    const fate = losing(1, (text, direction) => direction === 'there' && text.startsWith('INVITE'))
    const proxy = keep(await startLossyProxy({ target: callee.port, fate }))
    const { retransmissions } = await runSipp({ scenario: 'caller-calls', remote: `127.0.0.1:${proxy.port}` })
    expect(proxy.counts.lost).toBe(1)
    expect(retransmissions).toBe(1)
    await callee.success()
  })
})

describe.skipIf(withoutAsterisk)('JsSIP and Asterisk', () => {
  test('over a WebSocket it registers, calls, is called, and each hears the other', async () => {
    const phone = keep(await startJsSip({ ...credentials, url: asterisk.webSocketUrl, hertz: 440 }))
    phone.register()
    await phone.until('registered')
    phone.call('1000')
    await phone.until('confirmed')
    await heardFor(phone.heard, 1000).toBeGreaterThan(0.5)
    phone.hangUp()
    await phone.until('ended')
    const { Uniqueid = '' } = await asterisk.arrival('1000', after)
    expect(secondsOfTone(await asterisk.heard(Uniqueid), 440)).toBeGreaterThan(0.2)
    const channel = await asterisk.originate({ from: account.username, thenActs: '1000' })
    await phone.until('incoming')
    phone.refuse(486)
    expect(await asterisk.ended(channel)).toBe(17)
    phone.unregister()
    await phone.until('unregistered')
  })
})
