import { describe, expect, test } from 'vitest'
import { addressBlock } from '../../../kit/networks.ts'
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
import type { Transport } from '../../../sip/transport/flow.ts'
import { createGuard } from './guard.ts'
import { createRecentMap } from './recent-map.ts'
import { isScanner } from './scanners.ts'

const minute = 60_000
const options = Buffer.from('OPTIONS sip:a SIP/2.0\r\nUser-Agent: Desk Phone 1.0\r\n\r\n')

function setUp(max?: Parameters<typeof createGuard>[0]['max'], carriers: string[] = []) {
  const timers = createTestTimers()
  const isCarrier = (address: string) => carriers.includes(address)
  const guard = createGuard({ timers, isCarrier, ...(max && { max }) })
  const at = (address: string, port = 5060, transport: Transport = 'udp') => ({
    transport,
    remote: { address, port },
  })
  const admits = (address: string, port?: number, bytes = options) => guard.admit(at(address, port), bytes)
  /** How many of `count` datagrams pass. */
  const passing = (address: string, count: number) =>
    Array.from({ length: count }, () => admits(address)).filter(Boolean).length
  /** With a nonce that was received. */
  const fail = (address: string, times: number, port?: number) => {
    for (let n = 0; n < times; n += 1) guard.failed(at(address, port), { received: true })
  }
  return { guard, timers, at, admits, passing, fail }
}

describe('rates by source (D112)', () => {
  test('a stranger may send little', () => {
    const { passing, timers, guard } = setUp()
    expect(passing('203.0.113.1', 500)).toBe(60)
    timers.advance(1000)
    expect(passing('203.0.113.1', 500)).toBe(20)
    expect(passing('203.0.113.2', 500)).toBe(60)
    expect(guard.metrics().guard_flood_total).toBe(440 + 480 + 440)
  })

  test('a large message costs its source as much as several small ones (D474)', () => {
    const { admits, guard, at } = setUp()
    const large = Buffer.alloc(20_480)
    const passing = (address: string, bytes: typeof options) =>
      Array.from({ length: 5_000 }, () => admits(address, 5060, bytes)).filter(Boolean).length
    expect(passing('203.0.113.1', large)).toBe(5)
    guard.succeeded(at('203.0.113.2'))
    expect(passing('203.0.113.2', large)).toBe(90)
    // On a stream, the size of the message matters, whatever the chunk was.
    const connection = at('203.0.113.3', 5060, 'tcp')
    const admitted = (size: number) =>
      Array.from({ length: 5_000 }, () => guard.admit(connection, options, true, size)).filter(Boolean).length
    expect(admitted(20_480)).toBe(90)
    expect(admitted(0)).toBe(10)
  })

  test('a source whose phone registered may send much, for two hours', () => {
    const { passing, timers, guard, at } = setUp()
    guard.succeeded(at('203.0.113.1', 31_000))
    expect(passing('203.0.113.1', 5000)).toBe(1000)
    timers.advance(119 * minute)
    expect(passing('203.0.113.1', 5000)).toBe(1000)
    timers.advance(2 * minute)
    expect(passing('203.0.113.1', 5000)).toBe(60)
  })

  test('a carrier may send more, and this machine is not limited', () => {
    const { passing } = setUp(undefined, ['203.0.113.1', '2001:db8::1'])
    expect(passing('203.0.113.1', 5000)).toBe(4000)
    expect(passing('2001:db8::1', 5000)).toBe(4000)
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
      expect(passing(address, 10_000)).toBe(10_000)
    }
  })

  test('an IPv6 /64 counts as one source, a mapped IPv4 address as that address', () => {
    const { passing, admits } = setUp()
    expect(passing('2001:db8:1:2::1', 100)).toBe(60)
    expect(admits('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(false)
    expect(admits('2001:db8:1:3::1')).toBe(true)
    expect(passing('203.0.113.1', 100)).toBe(60)
    expect(admits('::ffff:203.0.113.1')).toBe(false)
    expect(addressBlock('2001:DB8::5')).toBe(addressBlock('2001:db8:0:0:1::%eth0'))
  })
})

describe('a stranger that fails', () => {
  test('ten times in a minute is blocked for five minutes', () => {
    const { admits, fail, timers, guard } = setUp()
    fail('203.0.113.1', 9)
    expect(admits('203.0.113.1')).toBe(true)
    fail('203.0.113.1', 1)
    expect(admits('203.0.113.1')).toBe(false)
    expect(admits('203.0.113.2')).toBe(true)
    timers.advance(5 * minute - 1)
    expect(admits('203.0.113.1')).toBe(false)
    timers.advance(1)
    expect(admits('203.0.113.1')).toBe(true)
    expect(guard.metrics()).toMatchObject({ guard_silenced_total: 2, guard_silences_total: 1 })
  })

  test('now and then is not blocked', () => {
    const { admits, fail, timers } = setUp()
    for (let n = 0; n < 100; n += 1) {
      fail('203.0.113.1', 1)
      timers.advance(minute / 8)
    }
    expect(admits('203.0.113.1')).toBe(true)
  })

  test('repeatedly is blocked for longer, up to a day; after a day without failures it starts from zero', () => {
    const { admits, fail, timers } = setUp()
    for (const minutes of [5, 20, 80, 320, 1280, 1440, 1440]) {
      fail('203.0.113.1', 10)
      timers.advance(minutes * minute - 1)
      expect(admits('203.0.113.1')).toBe(false)
      timers.advance(1)
      expect(admits('203.0.113.1')).toBe(true)
    }
    timers.advance(1440 * minute)
    fail('203.0.113.1', 10)
    timers.advance(5 * minute)
    expect(admits('203.0.113.1')).toBe(true)
  })
})

describe('an office behind one address', () => {
  test('is not blocked by one phone with a wrong password: only its port is', () => {
    const { guard, at, admits, fail } = setUp()
    guard.succeeded(at('203.0.113.1', 31_000))
    fail('203.0.113.1', 10, 31_001)
    expect(admits('203.0.113.1', 31_001)).toBe(false)
    expect(admits('203.0.113.1', 31_000)).toBe(true)
    expect(admits('203.0.113.1', 31_002)).toBe(true)
  })

  test('that is still a stranger can register after the first block', () => {
    const { guard, at, admits, fail, timers } = setUp()
    fail('203.0.113.1', 10, 31_001)
    expect(admits('203.0.113.1', 31_000)).toBe(false)
    timers.advance(5 * minute)
    guard.succeeded(at('203.0.113.1', 31_000))
    for (let n = 0; n < 10; n += 1) {
      fail('203.0.113.1', 10, 31_001)
      timers.advance(minute)
    }
    expect(admits('203.0.113.1', 31_000)).toBe(true)
  })

  test('cannot be used to guess passwords from ever new ports: failures add up to a debt', () => {
    const { guard, at, timers, admits } = setUp()
    guard.succeeded(at('203.0.113.1', 31_000))
    let tries = 0
    for (let second = 0; second < 100; second += 1) {
      for (let n = 0; n < 500; n += 1) {
        const port = 1024 + ((second * 500 + n) % 29_000)
        if (!guard.admit(at('203.0.113.1', port), options)) continue
        guard.failed(at('203.0.113.1', port), { received: true })
        tries += 1
      }
      timers.advance(1000)
    }
    expect(tries).toBeLessThan(60 + 100 + 10)
    expect(admits('203.0.113.1', 31_000)).toBe(true)
    timers.advance(2 * minute)
    expect(admits('203.0.113.1', 31_001)).toBe(true)
  })
})

describe('what others send with the address of an office', () => {
  test('blocks neither its datagrams nor its connections, known or not', () => {
    const { guard, at, admits } = setUp()
    for (const known of [false, true]) {
      if (known) guard.succeeded(at('203.0.113.1', 31_000))
      for (let n = 0; n < 1_000; n += 1) guard.failed(at('203.0.113.1', 31_000 + (n % 10)))
      expect(admits('203.0.113.1', 31_000)).toBe(true)
      expect(admits('203.0.113.1', 31_001)).toBe(true)
      expect(guard.admit(at('203.0.113.1', 31_000, 'tcp'), options)).toBe(true)
    }
  })

  test('does not use up the rate of its connections, nor of a phone that has authenticated', () => {
    const { guard, at, admits } = setUp()
    guard.succeeded(at('203.0.113.1', 31_000))
    for (let port = 1024; port < 6024; port += 1) admits('203.0.113.1', port)
    expect(admits('203.0.113.1', 40_000)).toBe(false)
    expect(admits('203.0.113.1', 31_000)).toBe(true)
    expect(guard.admit(at('203.0.113.1', 40_000, 'tcp'), options)).toBe(true)
  })

  test('does not use up the rate of other ports of a stranger', () => {
    const { passing, admits } = setUp()
    expect(passing('203.0.113.1', 500)).toBe(60)
    expect(admits('203.0.113.1', 31_000)).toBe(true)
  })
})

test('who fails on a connection is there: all it sends is blocked, but not a proven connection', () => {
  const { guard, at, admits } = setUp()
  for (let n = 0; n < 10; n += 1) guard.failed(at('203.0.113.1', 40_000, 'tcp'))
  expect(admits('203.0.113.1', 31_000)).toBe(false)
  expect(guard.admit(at('203.0.113.1', 40_001, 'tls'), options)).toBe(false)
  expect(guard.admit(at('203.0.113.1', 40_002, 'tls'), options, true)).toBe(true)
})

test('a connection is checked when it opens, and at every message', () => {
  const { guard, at } = setUp()
  const from = at('203.0.113.1', 40_000, 'tcp')
  const admitted = (bytes?: Buffer) =>
    Array.from({ length: 50 }, () => guard.admit(from, bytes)).filter(Boolean).length
  expect(admitted()).toBe(50)
  expect(admitted(options)).toBe(10)
  expect(guard.admit(from)).toBe(false)
})

test('addresses of this machine can be configured', () => {
  const timers = createTestTimers()
  const guard = createGuard({ timers, isThisMachine: (address) => address === '127.0.0.1' })
  const admitted = (address: string) =>
    Array.from({ length: 100 }, () =>
      guard.admit({ transport: 'udp', remote: { address, port: 5060 } }, options),
    ).filter(Boolean).length
  expect([admitted('127.0.0.1'), admitted('127.0.0.2')]).toEqual([100, 60])
})

test('carriers and this machine are never blocked', () => {
  const { admits, fail } = setUp(undefined, ['203.0.113.1'])
  for (const address of ['203.0.113.1', '127.0.0.1', '::1']) {
    fail(address, 1000)
    expect(admits(address)).toBe(true)
  }
})

describe('scanners', () => {
  const ua = (agent: string) => Buffer.from(`OPTIONS sip:a SIP/2.0\r\nUser-Agent: ${agent}\r\n\r\n`)

  test.each([
    'friendly-scanner',
    'sipvicious/0.3.4',
    'sipcli/v1.8',
    'SIP-Scan',
    'VaxSIPUserAgent/3.1',
    'pplsip',
    'sundayddr',
    'FRIENDLY-SCANNER',
  ])('%s is dropped in silence, and on a connection soon everything from there', (agent) => {
    const { admits, guard, at } = setUp()
    for (let n = 0; n < 10; n += 1) expect(admits('203.0.113.1', 5060, ua(agent))).toBe(false)
    expect(admits('203.0.113.1')).toBe(true)
    for (let n = 0; n < 10; n += 1)
      expect(guard.admit(at('203.0.113.1', 40_000, 'tcp'), ua(agent))).toBe(false)
    expect(admits('203.0.113.1')).toBe(false)
    expect(guard.metrics().guard_scanner_total).toBe(20)
  })

  test('are distinguished from phones', () => {
    for (const agent of [
      'Linphone/5.2',
      'Zoiper rv2.10',
      'baresip v3',
      'MicroSIP/3.21',
      'Gulpton 2',
      'Grandstream',
    ]) {
      expect(isScanner(ua(agent))).toBe(false)
    }
    expect(isScanner(Buffer.from('INVITE sip:a SIP/2.0\r\nf: "sipvicious" <sip:1@1.1.1.1>\r\n\r\n'))).toBe(
      true,
    )
    expect(isScanner(Buffer.from('INVITE sip:a SIP/2.0\r\nf: "Iwar Smap" <sip:1@1.1.1.1>\r\n\r\n'))).toBe(
      false,
    )
    expect(isScanner(Buffer.from('\r\n\r\n'))).toBe(false)
  })
})

describe('memory', () => {
  test('a million sources take bounded memory, and evict none that is known or blocked', () => {
    const { guard, at, admits, fail } = setUp()
    guard.succeeded(at('203.0.113.1'))
    fail('203.0.113.2', 10)
    let most = 0
    for (let n = 0; n < 1_000_000; n += 1) {
      const address = `${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.7`
      guard.admit(at(address), options)
      if (n % 1000 === 0) most = Math.max(most, guard.remembered())
    }
    expect(most).toBeLessThanOrEqual(50_000 + 2)
    expect(admits('203.0.113.2')).toBe(false)
    fail('203.0.113.1', 20, 31_001)
    expect(admits('203.0.113.1')).toBe(true)
  })

  test('a hundred thousand sources that fail take bounded memory', () => {
    const { guard, fail } = setUp({ strangers: 1000, known: 1000, blocks: 1000 })
    for (let n = 0; n < 100_000; n += 1) fail(`${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.7`, 10)
    expect(guard.remembered()).toBeLessThanOrEqual(3000)
  })

  test('entries in use stay', () => {
    const recent = createRecentMap<number>(10)
    recent.set('used', 1)
    for (let n = 0; n < 100; n += 1) {
      recent.set(`${n}`, n)
      expect(recent.get('used')).toBe(1)
    }
    expect(recent.size()).toBeLessThanOrEqual(10)
    expect(recent.get('0')).toBeUndefined()
  })
})
