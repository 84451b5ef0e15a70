/** D76: an extension has one phone, the newest; a displaced one stays out until its user acts. */
import { describe, expect, test } from 'vitest'
import { createDisplaced } from './displaced.ts'
import { createOffice, createPhone, extension, header, listed, tcp, udp } from './testing/test-registrar.ts'

describe('the newest phone', () => {
  test('wins: the older one is displaced, and its connection closed', () => {
    const office = createOffice()
    const desk = createPhone(office, { flow: tcp('203.0.113.1', 1), userAgent: 'Desk' })
    const mobile = createPhone(office, { flow: udp('203.0.113.2'), userAgent: 'Mobile' })
    desk.register()
    expect(listed(mobile.register(600))).toEqual([`<${mobile.phone.contact}>;expires=600`])
    expect(office.closed).toEqual([desk.phone.flow])
    expect(office.events).toMatchObject([
      { type: 'registered', registration: { userAgent: 'Desk' } },
      {
        type: 'displaced',
        registration: { extension, userAgent: 'Desk' },
        by: { userAgent: 'Mobile', address: '203.0.113.2' },
      },
      { type: 'registered', registration: { userAgent: 'Mobile' } },
    ])
    expect(office.registrar.find(extension)?.target).toEqual(mobile.phone.flow)
    office.registrar.connectionClosed(desk.phone.flow)
    expect(office.registrar.count()).toBe(1)
  })

  test('does not displace itself: by its instance, its connection, or its contact from the same address', () => {
    const office = createOffice()
    const cases = [
      { instance: 'urn:uuid:7', flow: udp('203.0.113.1') },
      { flow: tcp('203.0.113.1', 5), contact: 'sip:1000@10.0.0.8' },
      { flow: udp('203.0.113.1'), contact: 'sip:1000@10.0.0.9' },
    ]
    for (const options of cases) {
      const phone = createPhone(office, options)
      phone.register()
      phone.restart()
      if (options.instance !== undefined) phone.phone.contact = 'sip:1000@10.2.2.2'
      expect(phone.status()).toBe(200)
      phone.leave()
      expect(office.told()).toEqual(['registered', 'registered', 'unregistered'])
    }
    expect(office.closed).toEqual([])
  })

  test('is another one although its private address is the same', () => {
    const office = createOffice()
    const contact = 'sip:1000@192.168.0.10:5060'
    createPhone(office, { contact, flow: udp('203.0.113.1') }).register()
    createPhone(office, { contact, flow: udp('203.0.113.2') }).register()
    expect(office.told()).toEqual(['registered', 'displaced', 'registered'])
  })

  test('leaves a connection open that carries other phones too', () => {
    const office = createOffice()
    const flow = tcp('203.0.113.1', 3)
    createPhone(office, { flow }).register()
    createPhone(office, { flow, number: '1001' }).register()
    createPhone(office).register()
    expect(office.told()).toContain('displaced')
    expect(office.closed).toEqual([])
  })
})

describe('a displaced phone', () => {
  function displace() {
    const office = createOffice()
    const [desk, mobile] = [createPhone(office, { instance: 'urn:uuid:desk' }), createPhone(office)]
    desk.register(600)
    mobile.register(600)
    office.told()
    return { office, desk, mobile }
  }

  test('stays out while it only refreshes, for as long as it does', () => {
    const { office, desk, mobile } = displace()
    for (let minutes = 0; minutes < 600; minutes += 5) {
      office.pass(300)
      expect(mobile.status(600)).toBe(200)
      expect(desk.status(600)).toBe(403)
    }
    expect(new Set(office.told())).toEqual(new Set(['refreshed']))
  })

  test('is told why in words', () => {
    const { desk } = displace()
    const refused = desk.register()
    expect(refused?.reason).toBe('Registered on another phone')
    expect(header(refused, 'Warning')).toMatch(/^399 /)
  })

  test('comes back when its user restarts it', () => {
    const { office, desk, mobile } = displace()
    desk.restart()
    expect(desk.status()).toBe(200)
    expect(office.told()).toEqual(['displaced', 'registered'])
    expect(mobile.status()).toBe(403)
  })

  test('may leave, and takes nothing from the other by it', () => {
    const { office, desk } = displace()
    expect(desk.leave()?.status).toBe(200)
    const all: [string, string][] = [
      ['Contact', '*'],
      ['Expires', '0'],
    ]
    expect(desk.ask(all)?.status).toBe(403)
    expect(office.registrar.count()).toBe(1)
  })

  test('stays out after a restart of ours', () => {
    const { office, desk, mobile } = displace()
    const kept = office.registrar.registration(extension)
    const after = createOffice()
    after.registrar.restore(kept ? [kept] : [])
    const again = (phone: typeof desk) => createPhone(after, { callId: phone.phone.callId })
    expect(again(desk).status()).toBe(403)
    const refreshing = again(mobile)
    refreshing.phone.cseq = 100
    expect(refreshing.status()).toBe(200)
  })

  test('is let in again once the password changed', () => {
    const { office, desk } = displace()
    office.registrar.forget(extension)
    expect(desk.status()).toBe(200)
  })

  test('is forgotten an hour after its registration would have ended', () => {
    const { office, desk } = displace()
    office.pass(600 + 3600 + 1)
    expect(desk.status()).toBe(200)
  })
})

describe('phones that take a new Call-ID by themselves', () => {
  test('soon wait for their turn, longer each time; a third phone does not', () => {
    const office = createOffice()
    const phones = [
      createPhone(office, { instance: 'urn:uuid:a', flow: tcp('203.0.113.1', 1) }),
      createPhone(office, { instance: 'urn:uuid:b', flow: tcp('203.0.113.2', 2) }),
    ]
    let taken = 0
    for (let second = 0; second < 3600; second += 10) {
      for (const phone of phones) {
        if (office.registrar.find(extension)?.target.connection === phone.phone.flow.connection) continue
        phone.restart()
        if (phone.status() === 200) taken += 1
      }
      office.pass(10)
    }
    // Left alone it would have been 360 times each.
    expect(taken).toBeLessThan(15)
    expect(createPhone(office, { instance: 'urn:uuid:c' }).status()).toBe(200)
  })
})

test('displaced phones take a bounded room', () => {
  let now = 0
  const displaced = createDisplaced({ now: () => now, most: 100 })
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
