/** D76: an extension has one phone, the newest; a displaced one stays out until its user acts. */
import { describe, expect, test } from 'vitest'
import { createDisplacedPhones } from './displaced-phones.ts'
import {
  createPhone,
  createTestRegistrar,
  extension,
  header,
  listed,
  tcp,
  udp,
} from './testing/test-registrar.ts'

describe('the newest phone', () => {
  test('wins: the older one is displaced, and its connection closed', () => {
    const server = createTestRegistrar()
    const desk = createPhone(server, { flow: tcp('203.0.113.1', 1), userAgent: 'Desk' })
    const mobile = createPhone(server, { flow: udp('203.0.113.2'), userAgent: 'Mobile' })
    desk.register()
    expect(listed(mobile.register(600))).toEqual([`<${mobile.phone.contact}>;expires=600`])
    expect(server.closed).toEqual([desk.phone.flow])
    expect(server.events).toMatchObject([
      { type: 'registered', registration: { userAgent: 'Desk' } },
      {
        type: 'displaced',
        registration: { extension, userAgent: 'Desk' },
        by: { userAgent: 'Mobile', address: '203.0.113.2' },
      },
      { type: 'registered', registration: { userAgent: 'Mobile' } },
    ])
    expect(server.registrar.find(extension)?.target).toEqual(mobile.phone.flow)
    server.registrar.onConnectionClosed(desk.phone.flow)
    expect(server.registrar.count()).toBe(1)
  })

  test('of another extension is no rival: a person with two extensions has a phone on each (D157)', () => {
    const server = createTestRegistrar()
    const first = createPhone(server, { number: '1000' })
    const second = createPhone(server, { number: '1001' })
    expect([first.status(), second.status(), first.status()]).toEqual([200, 200, 200])
    expect(server.registrar.count()).toBe(2)
    expect(server.emitted()).not.toContain('displaced')
  })

  test('does not displace itself: by its instance, its connection, or its contact from the same address', () => {
    const server = createTestRegistrar()
    const cases = [
      { instance: 'urn:uuid:7', flow: udp('203.0.113.1') },
      { flow: tcp('203.0.113.1', 5), contact: 'sip:1000@10.0.0.8' },
      { flow: udp('203.0.113.1'), contact: 'sip:1000@10.0.0.9' },
    ]
    for (const options of cases) {
      const phone = createPhone(server, options)
      phone.register()
      phone.restart()
      if (options.instance !== undefined) phone.phone.contact = 'sip:1000@10.2.2.2'
      expect(phone.status()).toBe(200)
      phone.leave()
      expect(server.emitted()).toEqual(['registered', 'registered', 'unregistered'])
    }
    expect(server.closed).toEqual([])
  })

  test('is another phone although its private address is the same', () => {
    const server = createTestRegistrar()
    const contact = 'sip:1000@192.168.0.10:5060'
    createPhone(server, { contact, flow: udp('203.0.113.1') }).register()
    createPhone(server, { contact, flow: udp('203.0.113.2') }).register()
    expect(server.emitted()).toEqual(['registered', 'displaced', 'registered'])
  })

  test('leaves a connection open that carries other phones too', () => {
    const server = createTestRegistrar()
    const flow = tcp('203.0.113.1', 3)
    createPhone(server, { flow }).register()
    createPhone(server, { flow, number: '1001' }).register()
    createPhone(server).register()
    expect(server.emitted()).toContain('displaced')
    expect(server.closed).toEqual([])
  })
})

describe('a displaced phone', () => {
  function displace() {
    const server = createTestRegistrar()
    const [desk, mobile] = [createPhone(server, { instance: 'urn:uuid:desk' }), createPhone(server)]
    desk.register(600)
    mobile.register(600)
    server.emitted()
    return { server, desk, mobile }
  }

  test('is refused while it only refreshes, however long', () => {
    const { server, desk, mobile } = displace()
    for (let minutes = 0; minutes < 600; minutes += 5) {
      server.pass(300)
      expect(mobile.status(600)).toBe(200)
      expect(desk.status(600)).toBe(403)
    }
    expect(new Set(server.emitted())).toEqual(new Set(['refreshed']))
  })

  test('gets a reason its user can read', () => {
    const { desk } = displace()
    const refused = desk.register()
    expect(refused?.reason).toBe('Registered on another phone')
    expect(header(refused, 'Warning')).toMatch(/^399 /)
  })

  test('gets the name of the newer one, if that has one (D413)', () => {
    const server = createTestRegistrar()
    const desk = createPhone(server, { userAgent: 'Desk' })
    const mobile = createPhone(server, { userAgent: 'Mobile' })
    desk.register()
    mobile.register()
    expect(header(desk.register(), 'X-Displaced-By')).toBe('Mobile')
    const { desk: other } = displace()
    expect(header(other.register(), 'X-Displaced-By')).toBe('unknown')
  })

  test('comes back when its user restarts it', () => {
    const { server, desk, mobile } = displace()
    desk.restart()
    expect(desk.status()).toBe(200)
    expect(server.emitted()).toEqual(['displaced', 'registered'])
    expect(mobile.status()).toBe(403)
  })

  test('comes back by itself once the newer one has left', () => {
    const { server, desk, mobile } = displace()
    expect(mobile.leave()?.status).toBe(200)
    expect(desk.status()).toBe(200)
    expect(server.emitted()).toEqual(['unregistered', 'registered'])
  })

  test('that came back once the newer one had left refreshes its registration, and is no displaced phone any more', () => {
    const { server, desk, mobile } = displace()
    mobile.leave()
    expect([desk.status(), desk.status()]).toEqual([200, 200])
    desk.leave()
    mobile.restart()
    expect([mobile.status(), desk.status()]).toEqual([200, 200])
    expect(server.registrar.find(extension)?.target).toEqual(desk.phone.flow)
  })

  test('that came back with a new Call-ID refreshes too, though it would have to wait beside a newer one', () => {
    const { desk, mobile } = displace()
    for (const phone of [desk, mobile, desk]) {
      phone.restart()
      phone.register()
    }
    mobile.restart()
    expect(mobile.status()).toBe(403)
    desk.leave()
    expect([mobile.status(), mobile.status()]).toEqual([200, 200])
  })

  test('comes back by itself once the registration of the newer one has expired', () => {
    const { server, desk } = displace()
    server.pass(601)
    expect(desk.status()).toBe(200)
  })

  test('may unregister, which does not affect the other', () => {
    const { server, desk } = displace()
    expect(desk.leave()?.status).toBe(200)
    const all: [string, string][] = [
      ['Contact', '*'],
      ['Expires', '0'],
    ]
    expect(desk.ask(all)?.status).toBe(403)
    expect(server.registrar.count()).toBe(1)
  })

  test('is refused after a restart of the engine', () => {
    const { server, desk, mobile } = displace()
    const kept = server.registrar.registration(extension)
    const after = createTestRegistrar()
    after.registrar.restore(kept ? [kept] : [])
    const again = (phone: typeof desk) => createPhone(after, { callId: phone.phone.callId })
    expect(again(desk).status()).toBe(403)
    const refreshing = again(mobile)
    refreshing.phone.cseq = 100
    expect(refreshing.status()).toBe(200)
  })

  test('is accepted again once the password changed', () => {
    const { server, desk } = displace()
    server.registrar.forget(extension)
    expect(desk.status()).toBe(200)
  })

  test('is forgotten an hour after its registration would have ended', () => {
    const { server, desk } = displace()
    server.pass(600 + 3600 + 1)
    expect(desk.status()).toBe(200)
  })
})

describe('phones that take a new Call-ID by themselves', () => {
  test('must wait before they register again, longer each time; a third phone need not', () => {
    const server = createTestRegistrar()
    const phones = [
      createPhone(server, { instance: 'urn:uuid:a', flow: tcp('203.0.113.1', 1) }),
      createPhone(server, { instance: 'urn:uuid:b', flow: tcp('203.0.113.2', 2) }),
    ]
    let taken = 0
    for (let second = 0; second < 3600; second += 10) {
      for (const phone of phones) {
        if (server.registrar.find(extension)?.target.connection === phone.phone.flow.connection) continue
        phone.restart()
        if (phone.status() === 200) taken += 1
      }
      server.pass(10)
    }
    // Left alone it would have been 360 times each.
    expect(taken).toBeLessThan(15)
    expect(createPhone(server, { instance: 'urn:uuid:c' }).status()).toBe(200)
  })
})

test('the memory of displaced phones is bounded', () => {
  let now = 0
  const displaced = createDisplacedPhones({ now: () => now, maxExtensions: 100 })
  const phone = (callId: string) => ({
    callId,
    instance: undefined,
    contact: callId,
    path: [],
    flow: udp('203.0.113.1'),
  })
  for (let n = 0; n < 1000; n += 1) displaced.add(`${n}`, phone('a'), 1000)
  expect(displaced.size()).toBe(100)
  for (let n = 0; n < 1000; n += 1) displaced.add('999', phone(`${n}`), 1000)
  expect(displaced.callIds('999').length).toBeLessThanOrEqual(4)
  now = 10_000_000
  displaced.add('new', phone('b'), now)
  expect(displaced.size()).toBe(1)
})
