import { describe, expect, test } from 'vitest'
import type { Credentials } from '../../port.ts'
import { digests } from '../../sip/digest/auth-header.ts'
import { formatUri } from '../../sip/uri/uri.ts'
import { createOffice, createPhone, domain, extension, header, listed, tcp, udp } from './testing/test-registrar.ts'

describe('who registers', () => {
  test('is asked once, with MD5, as some phones give up at a second challenge, for the domain of the account (D124)', () => {
    const office = createOffice()
    const phone = createPhone(office)
    const [answer] = office.send(phone.request([phone.contactHeader()]), phone.phone.flow)
    expect(answer?.status).toBe(401)
    const asked = answer ? digests(answer, 'WWW-Authenticate') : []
    expect(asked.map(({ params }) => params.get('algorithm'))).toEqual(['MD5'])
    expect(asked.map(({ params }) => params.get('realm'))).toEqual([domain])
    expect(asked.every(({ params }) => params.get('qop') === 'auth')).toBe(true)
    expect(office.judged).toEqual([])
  })

  test('is not remembered while it has shown nothing: only the first challenge is not kept', () => {
    const office = createOffice()
    expect(createPhone(office).register()?.status).toBe(200)
    createPhone(office, { password: 'wrong' }).register()
    office.timers.advance(300)
    expect(office.forgotten).toEqual([401, 401])
  })

  test('is known once the password was right', () => {
    const office = createOffice()
    const phone = createPhone(office, { userAgent: 'Desk 1.0' })
    expect(phone.register()?.status).toBe(200)
    expect(office.registrar.registration(extension)).toMatchObject({ extension, userAgent: 'Desk 1.0' })
    expect(office.judged).toEqual([['good', phone.phone.flow.remote]])
  })

  test('is told the same, at the same time, whether the password is wrong or nobody is called that (D111)', () => {
    const answersOf = (number: string, host: string, password: string) => {
      const office = createOffice()
      const phone = createPhone(office, { number, host, password, callId: 'same', flow: udp('203.0.113.1') })
      const [challenge] = office.send(phone.request([phone.contactHeader()]), phone.phone.flow)
      const signed = challenge && phone.digest.answer(phone.request([phone.contactHeader()]), challenge)
      const answers = signed ? office.send(signed, phone.phone.flow) : []
      office.timers.advance(299)
      const early = answers.length
      office.timers.advance(1)
      const names = answers[0]?.headers.map(({ name }) => name)
      return { early, status: answers[0]?.status, names, judged: office.judged, told: office.told() }
    }
    const wrong = answersOf('1000', domain, 'guessed')
    expect(wrong).toMatchObject({ early: 0, status: 401, told: [] })
    expect(wrong.judged).toEqual([['failed', { address: '203.0.113.1', port: 5060 }]])
    expect(answersOf('4711', domain, 'guessed')).toEqual(wrong)
    expect(answersOf('1000', 'nobody.example', 'guessed')).toEqual(wrong)
    expect(answersOf('reception', domain, 'guessed')).toEqual(wrong)
  })

  test('cannot register an extension with the password of another', () => {
    const office = createOffice()
    expect(createPhone(office, { number: '1000', username: '1001', password: 'secret 1001' }).status()).toBe(
      401,
    )
    expect(createPhone(office, { username: '1000@other.example' }).status()).toBe(401)
  })

  test('may register at our own address, and says the domain in the user name', () => {
    const office = createOffice({ hosts: ['sip.example'] })
    for (const host of ['192.0.2.1', 'sip.example', domain]) {
      expect(createPhone(office, { host, username: `1000@${domain}` }).status()).toBe(200)
    }
    expect(createPhone(office, { host: '192.0.2.1', username: '1000' }).status()).toBe(401)
  })

  test('is asked again when the nonce grew old, and is not blamed for it', () => {
    const office = createOffice()
    const phone = createPhone(office)
    const [challenge] = office.send(phone.request([phone.contactHeader()]), phone.phone.flow)
    office.pass(301)
    const signed = challenge && phone.digest.answer(phone.request([phone.contactHeader()]), challenge)
    const [answer] = signed ? office.send(signed, phone.phone.flow) : []
    expect(header(answer, 'WWW-Authenticate')).toContain('stale=true')
    expect(office.judged).toEqual([])
  })

  test('is not blamed for a nonce that was never ours', () => {
    const office = createOffice()
    const phone = createPhone(office)
    const authorization = `Digest username="1000", realm="${domain}", nonce="x", uri="sip:a", response="b"`
    const request = phone.request([phone.contactHeader(), ['Authorization', authorization]])
    const answers = office.send(request, phone.phone.flow)
    office.timers.advance(300)
    expect([answers[0]?.status, office.judged]).toEqual([401, []])
  })

  test('may have to wait for the password to be looked up, and is told when that fails', async () => {
    const office = createOffice({ credentials: async () => ({ password: 'secret 1000' }) })
    const phone = createPhone(office)
    phone.register()
    await expect.poll(() => office.registrar.count()).toBe(1)
    const broken = createOffice({ credentials: () => Promise.reject(new Error('database down')) })
    const other = createPhone(broken)
    const [challenge] = broken.send(other.request([other.contactHeader()]), other.phone.flow)
    const signed = challenge && other.digest.answer(other.request([other.contactHeader()]), challenge)
    const answers = signed ? broken.send(signed, other.phone.flow) : []
    await expect.poll(() => answers[0]?.status).toBe(503)
    expect(header(answers[0], 'Retry-After')).toBe('20')
  })

  test('is not believed by a password that changed, or on a connection that closed, during the look-up', async () => {
    for (const [spoil, status] of [
      ['forget', 401],
      ['close', 503],
    ] as const) {
      const lookup = Promise.withResolvers<Credentials>()
      const office = createOffice({ credentials: () => lookup.promise })
      const phone = createPhone(office, { flow: tcp('198.51.100.9', 7) })
      const [challenge] = office.send(phone.request([phone.contactHeader()]), phone.phone.flow)
      const signed = challenge && phone.digest.answer(phone.request([phone.contactHeader()]), challenge)
      const answers = signed ? office.send(signed, phone.phone.flow) : []
      if (spoil === 'forget') office.registrar.forget(extension)
      else office.registrar.connectionClosed(phone.phone.flow)
      lookup.resolve({ password: 'secret 1000' })
      await expect.poll(() => answers[0]?.status).toBe(status)
      expect(office.registrar.count()).toBe(0)
    }
  })
})

describe('a registration (RFC 3261, 10.3)', () => {
  test('lasts as long as was asked: by the contact, else by the header, else an hour, and never longer (D110)', () => {
    const office = createOffice()
    const phone = createPhone(office)
    const seconds = (answer: ReturnType<typeof phone.register>) =>
      /expires=(\d+)/.exec(listed(answer)[0] ?? '')?.[1]
    expect(seconds(phone.register(120, [['Expires', '600']]))).toBe('120')
    expect(seconds(phone.register(undefined, [['Expires', '600']]))).toBe('600')
    expect(seconds(phone.register())).toBe('3600')
    expect(seconds(phone.register(86_400))).toBe('3600')
  })

  test('of less than a minute is refused with the least there is', () => {
    const phone = createPhone(createOffice())
    const answer = phone.register(59)
    expect([answer?.status, header(answer, 'Min-Expires')]).toEqual([423, '60'])
    expect(phone.status(60)).toBe(200)
  })

  test('ends when its time is over, and not while it is refreshed', () => {
    const office = createOffice()
    const phone = createPhone(office)
    phone.register(60)
    for (let n = 0; n < 5; n += 1) {
      office.pass(50)
      expect(phone.status(60)).toBe(200)
    }
    expect(office.told()).toEqual(['registered', ...Array(5).fill('refreshed')])
    office.pass(58)
    expect(office.registrar.count()).toBe(1)
    office.pass(3)
    expect([office.registrar.count(), office.told()]).toEqual([0, ['unregistered']])
    expect(office.timers.waiting()).toBe(0)
  })

  test('can be shortened', () => {
    const office = createOffice()
    const phone = createPhone(office)
    phone.register(3600)
    phone.register(60)
    office.pass(62)
    expect(office.registrar.count()).toBe(0)
  })

  test('does not end because the clock on the wall is set', () => {
    const office = createOffice()
    createPhone(office).register(600)
    office.clock.advance(7200)
    office.timers.advance(5000)
    expect(office.registrar.count()).toBe(1)
  })

  test('keeps its beginning when it is refreshed', () => {
    const office = createOffice()
    const phone = createPhone(office)
    phone.register(600)
    const before = office.registrar.registration(extension)
    office.pass(100)
    phone.register(600)
    const after = office.registrar.registration(extension)
    expect(after?.registeredAt).toEqual(before?.registeredAt)
    expect(Number(after?.expiresAt) - Number(before?.expiresAt)).toBe(100_000)
  })

  test('is taken back by its phone, whose way of writing the contact may have changed', () => {
    const office = createOffice()
    const phone = createPhone(office)
    phone.register()
    expect(listed(phone.leave())).toEqual([])
    phone.register()
    phone.phone.contact = 'sip:1000@10.9.9.9'
    expect(listed(phone.leave())).toEqual([])
    expect(office.told()).toEqual(['registered', 'unregistered', 'registered', 'unregistered'])
  })

  test('is not taken back by another phone that names its own contact', () => {
    const office = createOffice()
    const [desk, mobile] = [createPhone(office), createPhone(office)]
    desk.register()
    expect(mobile.leave()?.status).toBe(200)
    expect(office.registrar.count()).toBe(1)
  })

  test('ends with Contact: *, which must say Expires: 0', () => {
    const office = createOffice()
    createPhone(office).register()
    const other = createPhone(office)
    expect(other.ask([['Contact', '*']])?.status).toBe(400)
    expect(
      other.ask([
        ['Contact', '*'],
        ['Expires', '60'],
      ])?.status,
    ).toBe(400)
    expect(office.registrar.count()).toBe(1)
    const cleared = other.ask([
      ['Contact', '*'],
      ['Expires', '0'],
    ])
    expect([cleared?.status, office.registrar.count()]).toEqual([200, 0])
  })

  test('can be asked for without being changed', () => {
    const office = createOffice()
    const phone = createPhone(office)
    expect(listed(phone.ask([]))).toEqual([])
    phone.register(600)
    office.pass(100)
    expect(listed(createPhone(office).ask([]))).toEqual([`<${phone.phone.contact}>;expires=500`])
    expect(office.told()).toEqual(['registered'])
  })

  test('is listed as the phone wrote it, with its instance and reg-id', () => {
    const office = createOffice()
    const phone = createPhone(office, {
      instance: 'urn:uuid:1',
      contact: 'sip:Ab@X1.Invalid;transport=ws;OB',
    })
    expect(listed(phone.register(600))).toEqual([
      '<sip:Ab@X1.Invalid;transport=ws;OB>;expires=600;+sip.instance="<urn:uuid:1>";reg-id=1',
    ])
  })

  test('changes only by requests that are later than those before', () => {
    const office = createOffice()
    const phone = createPhone(office)
    phone.register()
    phone.phone.cseq = 0
    expect(phone.status()).toBe(500)
    phone.phone.cseq = 0
    expect(phone.leave()?.status).toBe(500)
    expect(office.registrar.count()).toBe(1)
    expect(phone.status()).toBe(200)
  })

  test('moves with its phone: a new contact, and the old one taken back, in one request', () => {
    const office = createOffice()
    const phone = createPhone(office)
    phone.register()
    const old = phone.contactHeader(0)[1]
    phone.restart()
    phone.phone.contact = 'sip:1000@10.1.1.1:5070'
    expect(listed(phone.register(600, [['Contact', old]]))).toEqual(['<sip:1000@10.1.1.1:5070>;expires=600'])
    expect(office.told()).toEqual(['registered', 'registered'])
  })

  test('is the most wanted of several contacts', () => {
    const office = createOffice()
    const answer = createPhone(office).ask([['Contact', '<sip:a@10.0.0.1>;q=0.2, <sip:b@10.0.0.2>;q=0.9']])
    expect(listed(answer)).toEqual(['<sip:b@10.0.0.2>;expires=3600'])
  })

  test('needs a contact we can call, and no option we do not know', () => {
    const office = createOffice()
    const phone = createPhone(office)
    expect(phone.ask([['Contact', '<mailto:ana@acme.example>']])?.status).toBe(400)
    const refused = phone.register(600, [['Require', 'path, outbound']])
    expect([refused?.status, header(refused, 'Unsupported')]).toEqual([420, 'outbound'])
    expect(phone.register(600, [['Require', 'path']])?.status).toBe(200)
  })
})

describe('the way to a phone', () => {
  test('is the one its REGISTER came by, whatever the contact says', () => {
    const office = createOffice()
    const phone = createPhone(office, { flow: udp('203.0.113.7', 31_000), contact: 'sip:1000@10.0.0.5?x=y' })
    phone.register()
    const found = office.registrar.find(extension)
    expect(found?.target).toEqual(phone.phone.flow)
    expect(found && formatUri(found.contact)).toBe('sip:1000@10.0.0.5')
    expect(office.registrar.find({ ...extension, number: '1001' })).toBeUndefined()
  })

  test('goes through the proxies that are named in Path, which are told back (RFC 3327)', () => {
    const office = createOffice()
    const phone = createPhone(office)
    const answer = phone.register(600, [['Path', '<sip:p2.example;lr>, <sip:p1.example;lr>']])
    expect(office.registrar.find(extension)?.path).toEqual(['<sip:p2.example;lr>', '<sip:p1.example;lr>'])
    expect(header(answer, 'Path')).toBe('<sip:p2.example;lr>')
    expect(phone.register(600, [['Path', `<sip:${'p'.repeat(200)}.example;lr>, `.repeat(9)]])?.status).toBe(
      400,
    )
  })

  test('through NAT is kept open every half minute, and only there', () => {
    const office = createOffice()
    const natted = createPhone(office, { flow: udp('203.0.113.7', 31_000) })
    const direct = createPhone(office, {
      number: '1001',
      flow: udp('203.0.113.8', 5060),
      contact: 'sip:1001@203.0.113.8',
    })
    natted.register(3600)
    direct.register(3600)
    office.pass(20)
    natted.register(3600)
    office.pass(100)
    expect(office.pinged).toEqual(Array(4).fill(natted.phone.flow))
    natted.leave()
    office.pass(100)
    expect(office.pinged).toHaveLength(4)
  })

  test('is lost with its connection', () => {
    const office = createOffice()
    const phone = createPhone(office, { flow: tcp('203.0.113.7', 1) })
    phone.register()
    phone.phone.flow = tcp('203.0.113.7', 2)
    phone.register()
    office.registrar.connectionClosed(tcp('203.0.113.7', 1))
    expect(office.registrar.count()).toBe(1)
    office.registrar.connectionClosed(tcp('203.0.113.7', 2))
    expect(office.told()).toEqual(['registered', 'refreshed', 'unregistered'])
  })

  test('is lost when the password or the number changed, and the connection with it (D74)', () => {
    const office = createOffice()
    const phone = createPhone(office, { flow: tcp('203.0.113.7', 1) })
    phone.register()
    office.registrar.forget(extension)
    office.registrar.forget({ ...extension, number: '1001' })
    expect(office.told()).toEqual(['registered', 'unregistered'])
    expect(office.closed).toEqual([phone.phone.flow])
  })

  test('is found again after a restart, unless it was a connection or its time is over', () => {
    const before = createOffice()
    const path: [string, string] = ['Path', '<sip:p.example;lr>']
    createPhone(before, { instance: 'urn:uuid:1', userAgent: 'Desk', flow: udp('203.0.113.7') }).register(
      600,
      [path],
    )
    createPhone(before, { number: '1001', flow: tcp('203.0.113.7', 1) }).register()
    const kept = before.events.flatMap((event) => (event.type === 'registered' ? [event.registration] : []))
    const after = createOffice()
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
