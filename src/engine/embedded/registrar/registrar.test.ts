/** How long a registration lasts, what changes it, and how its phone is reached. */
import { describe, expect, test } from 'vitest'
import { formatUri } from '../../../sip/uri/uri.ts'
import type { Credentials } from '../../port.ts'
import { fleetSeconds } from './register-request.ts'
import {
  createPhone,
  createTestRegistrar,
  domain,
  extension,
  header,
  listed,
  settle,
  tcp,
  udp,
} from './testing/test-registrar.ts'

describe('a registration (RFC 3261, 10.3)', () => {
  test('lasts as long as requested: by the contact, else by the header, else an hour, and never longer (D110)', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server)
    const seconds = (answer: ReturnType<typeof phone.register>) =>
      /expires=(\d+)/.exec(listed(answer)[0] ?? '')?.[1]
    expect(seconds(phone.register(120, [['Expires', '600']]))).toBe('120')
    expect(seconds(phone.register(undefined, [['Expires', '600']]))).toBe('600')
    expect(seconds(phone.register())).toBe('3600')
    expect(seconds(phone.register(86_400))).toBe('3600')
  })

  test('lasts no longer than the temporary login of its phone (D110)', () => {
    const server = createTestRegistrar()
    const until = Math.floor(server.clock.now().getTime() / 1000) + 900
    const phone = createPhone(server, { username: `1000.${until}.7` })
    const granted = () => /expires=(\d+)/.exec(listed(phone.register(3600))[0] ?? '')?.[1]
    expect(granted()).toBe('900')
    server.pass(880)
    // Less than any phone may ask for.
    expect(granted()).toBe('20')
  })

  test('ends when its user loses the right to it, and not before; others of the user stay (D312)', async () => {
    const lost = new Set<string>()
    const server = createTestRegistrar({
      credentials: ({ number }, login) =>
        login && lost.has(number) ? undefined : { password: `secret ${number}` },
    })
    const until = Math.floor(server.clock.now().getTime() / 1000) + 900
    for (const number of ['1000', '1001']) {
      expect(createPhone(server, { number, username: `${number}.${until}.7` }).status()).toBe(200)
    }
    server.registrar.recheck(7)
    await settle()
    expect(server.registrar.count()).toBe(2)
    lost.add('1000')
    server.registrar.recheck(8)
    await settle()
    expect(server.registrar.count()).toBe(2)
    server.registrar.recheck(7)
    await settle()
    expect(server.registrar.find(extension)).toBeUndefined()
    expect(server.registrar.count()).toBe(1)
  })

  test('of a suspended account is refused with the right password, and says why (D616)', () => {
    let credentials: Credentials = { password: 'secret 1000', isSuspended: true }
    const server = createTestRegistrar({ credentials: () => credentials })
    const phone = createPhone(server)
    const answer = phone.register()
    expect([answer?.status, answer?.reason]).toEqual([403, 'Account Suspended'])
    expect(server.registrar.count()).toBe(0)
    credentials = { password: 'secret 1000' }
    expect(phone.status()).toBe(200)
  })

  test('is not begun by a login that was looked up before the right to it ended (D312)', async () => {
    let answer = (_: Credentials | undefined) => {}
    const server = createTestRegistrar({
      credentials: () => new Promise((resolve) => (answer = resolve)),
    })
    const until = Math.floor(server.clock.now().getTime() / 1000) + 900
    const answers = createPhone(server, { username: `1000.${until}.7` }).sign()
    server.registrar.recheck(7)
    answer({ password: 'secret 1000' })
    await settle()
    expect(answers.map(({ status }) => status)).toEqual([401])
    expect(server.registrar.count()).toBe(0)
  })

  test('lasts 241 to 300 s where there are other voice nodes, and not the same for all (D110)', () => {
    const register = (random: number) => {
      const phone = createPhone(createTestRegistrar({ maxSeconds: () => fleetSeconds(random) }))
      return /expires=(\d+)/.exec(listed(phone.register())[0] ?? '')?.[1]
    }
    expect([0, 0.5, 0.999].map(register)).toEqual(['300', '270', '241'])
    expect(createPhone(createTestRegistrar({ maxSeconds: () => fleetSeconds(0) })).status(60)).toBe(200)
  })

  test('of less than a minute is refused with Min-Expires', () => {
    const phone = createPhone(createTestRegistrar())
    const answer = phone.register(59)
    expect([answer?.status, header(answer, 'Min-Expires')]).toEqual([423, '60'])
    expect(phone.status(60)).toBe(200)
  })

  test('expires, but not while it is refreshed', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server)
    phone.register(60)
    for (let n = 0; n < 5; n += 1) {
      server.pass(50)
      expect(phone.status(60)).toBe(200)
    }
    expect(server.emitted()).toEqual(['registered', ...Array(5).fill('refreshed')])
    server.pass(58)
    expect(server.registrar.count()).toBe(1)
    server.pass(3)
    expect([server.registrar.count(), server.emitted()]).toEqual([0, ['unregistered']])
    expect(server.timers.waiting()).toBe(0)
  })

  test('can be shortened', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server)
    phone.register(3600)
    phone.register(60)
    server.pass(62)
    expect(server.registrar.count()).toBe(0)
  })

  test('does not end because the wall clock is set', () => {
    const server = createTestRegistrar()
    createPhone(server).register(600)
    server.clock.advance(7200)
    server.timers.advance(5000)
    expect(server.registrar.count()).toBe(1)
  })

  test('keeps its start time when it is refreshed', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server)
    phone.register(600)
    const before = server.registrar.registration(extension)
    server.pass(100)
    phone.register(600)
    const after = server.registrar.registration(extension)
    expect(after?.registeredAt).toEqual(before?.registeredAt)
    expect(Number(after?.expiresAt) - Number(before?.expiresAt)).toBe(100_000)
  })

  test('is removed by its phone, even if the contact is written differently', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server)
    phone.register()
    expect(listed(phone.leave())).toEqual([])
    phone.register()
    phone.phone.contact = 'sip:1000@10.9.9.9'
    expect(listed(phone.leave())).toEqual([])
    expect(server.emitted()).toEqual(['registered', 'unregistered', 'registered', 'unregistered'])
  })

  test('is not removed by another phone that names its own contact', () => {
    const server = createTestRegistrar()
    const [desk, mobile] = [createPhone(server), createPhone(server)]
    desk.register()
    expect(mobile.leave()?.status).toBe(200)
    expect(server.registrar.count()).toBe(1)
  })

  test('is removed by Contact: *, which needs Expires: 0', () => {
    const server = createTestRegistrar()
    createPhone(server).register()
    const other = createPhone(server)
    expect(other.ask([['Contact', '*']])?.status).toBe(400)
    expect(
      other.ask([
        ['Contact', '*'],
        ['Expires', '60'],
      ])?.status,
    ).toBe(400)
    expect(server.registrar.count()).toBe(1)
    const cleared = other.ask([
      ['Contact', '*'],
      ['Expires', '0'],
    ])
    expect([cleared?.status, server.registrar.count()]).toEqual([200, 0])
  })

  test('can be queried without being changed', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server)
    expect(listed(phone.ask([]))).toEqual([])
    phone.register(600)
    server.pass(100)
    expect(listed(createPhone(server).ask([]))).toEqual([`<${phone.phone.contact}>;expires=500`])
    expect(server.emitted()).toEqual(['registered'])
  })

  test('is listed as the phone wrote it, with its instance and reg-id', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server, {
      instance: 'urn:uuid:1',
      contact: 'sip:Ab@X1.Invalid;transport=ws;OB',
    })
    expect(listed(phone.register(600))).toEqual([
      '<sip:Ab@X1.Invalid;transport=ws;OB>;expires=600;+sip.instance="<urn:uuid:1>";reg-id=1',
    ])
  })

  test('is changed only by requests with a higher CSeq', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server)
    phone.register()
    phone.phone.cseq = 0
    expect(phone.status()).toBe(500)
    phone.phone.cseq = 0
    expect(phone.leave()?.status).toBe(500)
    expect(server.registrar.count()).toBe(1)
    expect(phone.status()).toBe(200)
  })

  test('moves with its phone: a new contact, and the old one removed, in one request', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server)
    phone.register()
    const old = phone.contactHeader(0)[1]
    phone.restart()
    phone.phone.contact = 'sip:1000@10.1.1.1:5070'
    expect(listed(phone.register(600, [['Contact', old]]))).toEqual(['<sip:1000@10.1.1.1:5070>;expires=600'])
    expect(server.emitted()).toEqual(['registered', 'registered'])
  })

  test('takes the contact with the highest q of several', () => {
    const server = createTestRegistrar()
    const answer = createPhone(server).ask([['Contact', '<sip:a@10.0.0.1>;q=0.2, <sip:b@10.0.0.2>;q=0.9']])
    expect(listed(answer)).toEqual(['<sip:b@10.0.0.2>;expires=3600'])
  })

  test('needs a SIP contact, and no unknown option', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server)
    expect(phone.ask([['Contact', '<mailto:ana@acme.example>']])?.status).toBe(400)
    const refused = phone.register(600, [['Require', 'path, outbound']])
    expect([refused?.status, header(refused, 'Unsupported')]).toEqual([420, 'outbound'])
    expect(phone.register(600, [['Require', 'path']])?.status).toBe(200)
  })
})

describe('the flow to a phone', () => {
  test('is that of its REGISTER, whatever the contact says', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server, { flow: udp('203.0.113.7', 31_000), contact: 'sip:1000@10.0.0.5?x=y' })
    phone.register()
    const found = server.registrar.find(extension)
    expect(found?.target).toEqual(phone.phone.flow)
    expect(found && formatUri(found.contact)).toBe('sip:1000@10.0.0.5')
    expect(server.registrar.find({ ...extension, number: '1001' })).toBeUndefined()
  })

  test('goes through the proxies named in Path, which is returned (RFC 3327)', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server)
    const answer = phone.register(600, [['Path', '<sip:p2.example;lr>, <sip:p1.example;lr>']])
    expect(server.registrar.find(extension)?.path).toEqual(['<sip:p2.example;lr>', '<sip:p1.example;lr>'])
    expect(header(answer, 'Path')).toBe('<sip:p2.example;lr>')
    expect(phone.register(600, [['Path', `<sip:${'p'.repeat(200)}.example;lr>, `.repeat(9)]])?.status).toBe(
      400,
    )
  })

  test('is kept open every half minute behind NAT, and only there', () => {
    const server = createTestRegistrar()
    const natted = createPhone(server, { flow: udp('203.0.113.7', 31_000) })
    const direct = createPhone(server, {
      number: '1001',
      flow: udp('203.0.113.8', 5060),
      contact: 'sip:1001@203.0.113.8',
    })
    natted.register(3600)
    direct.register(3600)
    server.pass(20)
    natted.register(3600)
    server.pass(100)
    expect(server.pinged).toEqual(Array(4).fill(natted.phone.flow))
    natted.leave()
    server.pass(100)
    expect(server.pinged).toHaveLength(4)
  })

  test('ends with its connection', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server, { flow: tcp('203.0.113.7', 1) })
    phone.register()
    phone.phone.flow = tcp('203.0.113.7', 2)
    phone.register()
    server.registrar.onConnectionClosed(tcp('203.0.113.7', 1))
    expect(server.registrar.count()).toBe(1)
    server.registrar.onConnectionClosed(tcp('203.0.113.7', 2))
    expect(server.emitted()).toEqual(['registered', 'refreshed', 'unregistered'])
  })

  test('ends when the password or the number changed, with its connection (D74)', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server, { flow: tcp('203.0.113.7', 1) })
    phone.register()
    server.registrar.forget(extension)
    server.registrar.forget({ ...extension, number: '1001' })
    expect(server.emitted()).toEqual(['registered', 'unregistered'])
    expect(server.closed).toEqual([phone.phone.flow])
  })

  test('is restored after a restart, unless it was a connection or the registration expired', () => {
    const before = createTestRegistrar()
    const path: [string, string] = ['Path', '<sip:p.example;lr>']
    createPhone(before, { instance: 'urn:uuid:1', userAgent: 'Desk', flow: udp('203.0.113.7') }).register(
      600,
      [path],
    )
    createPhone(before, { number: '1001', flow: tcp('203.0.113.7', 1) }).register()
    const kept = before.events.flatMap((event) => (event.type === 'registered' ? [event.registration] : []))
    const after = createTestRegistrar()
    after.registrar.restore(JSON.parse(JSON.stringify(kept), revive))
    expect(after.registrar.find(extension)).toEqual(before.registrar.find(extension))
    expect(after.registrar.registration(extension)).toEqual(kept[0])
    expect(after.events).toEqual([{ type: 'unregistered', extension: { domain, number: '1001' } }])
    expect(after.judged).toEqual([['good', udp('203.0.113.7').remote]])
    after.pass(601)
    expect(after.registrar.count()).toBe(0)
    after.registrar.restore(kept)
    after.registrar.restore(kept.map((one) => ({ ...one, expiresAt: new Date(2 ** 42), state: '{"c":1}' })))
    expect(after.registrar.count()).toBe(0)
  })
})

function revive(key: string, value: unknown): unknown {
  return key === 'registeredAt' || key === 'expiresAt' ? new Date(String(value)) : value
}
