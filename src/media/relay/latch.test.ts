import { expect, test } from 'vitest'
import { createRtpHeader } from '../rtp/rtp.ts'
import { createLatch } from './latch.ts'

const sdp = { address: '192.0.2.1', port: 4000, signalsFrom: '192.0.2.1' }
/** The SDP names an address that is not the one the side signals from. */
const natted = { ...sdp, signalsFrom: '198.51.100.9' }
const packet = (sequence: number, ssrc = 1, payloadType = 8) => ({
  ...createRtpHeader(),
  sequence,
  ssrc,
  payloadType,
})

function expecting(expected = sdp) {
  const latch = createLatch()
  latch.expect(expected)
  return latch
}

test('the address and port of the SDP are accepted at once', () => {
  expect(expecting().admit(packet(1), sdp.address, sdp.port, 0)).toBe('accepted')
})

test('another port of the same address is accepted after three consecutive packets', () => {
  const latch = expecting()
  const verdicts = [1, 2, 3].map((sequence) => latch.admit(packet(sequence), sdp.address, 5000, 0))
  expect(verdicts).toEqual(['waiting', 'waiting', 'accepted'])
  expect(latch.target()).toEqual({ address: sdp.address, port: 5000 })
})

test('D174: another address is accepted only if the side signals from there', () => {
  const latch = expecting()
  for (let sequence = 1; sequence < 20; sequence += 1)
    expect(latch.admit(packet(sequence), '198.51.100.9', 4000, 0)).toBe('foreign')
  const behindNat = expecting(natted)
  for (let sequence = 1; sequence < 20; sequence += 1)
    expect(behindNat.admit(packet(sequence), '203.0.113.66', 4000, 0)).toBe('foreign')
  const verdicts = [1, 2, 3].map((sequence) => behindNat.admit(packet(sequence), '198.51.100.9', 4000, 0))
  expect(verdicts.at(-1)).toBe('accepted')
})

test('D174: a carrier may send from a network that the operator trusts for its trunk', () => {
  const latch = createLatch()
  latch.expect({ ...sdp, trusted: ['203.0.113.0/28'] })
  for (let sequence = 1; sequence < 20; sequence += 1)
    expect(latch.admit(packet(sequence), '203.0.113.66', 4000, 0)).toBe('foreign')
  const verdicts = [1, 2, 3].map((sequence) => latch.admit(packet(sequence), '203.0.113.7', 7000, 0))
  expect(verdicts).toEqual(['waiting', 'waiting', 'accepted'])
  expect(latch.target()).toEqual({ address: '203.0.113.7', port: 7000 })
})

test.each([
  ['source', [packet(1, 1), packet(2, 2), packet(3, 3), packet(4, 4)]],
  ['payload type', [packet(1, 1, 8), packet(2, 1, 0), packet(3, 1, 8), packet(4, 1, 0)]],
  ['sequence', [packet(1), packet(900), packet(17), packet(16)]],
])('packets that change their %s are not consecutive', (_, packets) => {
  const latch = expecting(natted)
  for (const one of packets) expect(latch.admit(one, '198.51.100.9', 4000, 0)).toBe('waiting')
})

test('sequence numbers may wrap around between consecutive packets', () => {
  const latch = expecting()
  const verdicts = [65_534, 65_535, 0].map((sequence) => latch.admit(packet(sequence), sdp.address, 5000, 0))
  expect(verdicts.at(-1)).toBe('accepted')
})

test('once latched, consecutive packets of an attacker are foreign', () => {
  const latch = expecting(natted)
  for (const sequence of [1, 2, 3]) latch.admit(packet(sequence), '198.51.100.9', 4000, 0)
  for (const sequence of [4, 5, 6, 7])
    expect(latch.admit(packet(sequence), '203.0.113.66', 4000, 0)).toBe('foreign')
  expect(latch.admit(packet(4), '198.51.100.9', 4000, 0)).toBe('accepted')
})

test('a latched source at the signalling address is replaced by the one of the SDP', () => {
  const latch = expecting(natted)
  for (const sequence of [1, 2, 3]) latch.admit(packet(sequence), natted.signalsFrom, 4000, 0)
  expect(latch.admit(packet(9, 5), sdp.address, sdp.port, 0)).toBe('accepted')
  expect(latch.admit(packet(4), natted.signalsFrom, 4000, 0)).toBe('foreign')
})

test('the same SDP keeps the latch, a new SDP resets it', () => {
  const latch = expecting()
  for (const sequence of [1, 2, 3]) latch.admit(packet(sequence), sdp.address, 5000, 0)
  latch.expect({ ...sdp })
  expect(latch.admit(packet(1, 9), sdp.address, 6000, 0)).toBe('foreign')
  latch.expect({ ...sdp, port: 6000 })
  expect(latch.target()).toMatchObject({ port: 6000 })
  expect(latch.admit(packet(1, 9), sdp.address, 6000, 0)).toBe('accepted')
})

test('many unknown sources cannot keep the right one out', () => {
  const latch = expecting(natted)
  let verdict = ''
  for (const sequence of [1, 2, 3]) {
    for (let stray = 0; stray < 5; stray += 1)
      latch.admit(packet(sequence * 100 * stray, stray), '198.51.100.9', 7000 + stray, 0)
    verdict = latch.admit(packet(sequence), '198.51.100.9', 4000, 0)
  }
  expect(verdict).toBe('accepted')
})

test('a source that has been silent for two seconds gives way to another port of an allowed address', () => {
  const latch = expecting(natted)
  const say = (port: number, address: string, now: number) =>
    [4, 5, 6].map((sequence) => latch.admit(packet(sequence), address, port, now)).at(-1)
  expect(say(4000, natted.signalsFrom, 0)).toBe('accepted')
  expect(say(4001, natted.signalsFrom, 1_999)).toBe('foreign')
  expect(say(4001, '203.0.113.66', 2_000)).toBe('foreign')
  expect(say(4001, natted.signalsFrom, 2_000)).toBe('accepted')
  expect(latch.target()).toEqual({ address: natted.signalsFrom, port: 4001 })
  expect(say(4000, natted.signalsFrom, 2_500)).toBe('foreign')
})

test('D276: a source flows once its packets have come for two seconds, or ten if it is not exactly that of the SDP', () => {
  for (const [port, ms] of [
    [sdp.port, 2000],
    [5000, 10_000],
  ] as const) {
    const latch = expecting()
    let now = 0
    for (let sequence = 1; now < ms; sequence += 1, now += 20)
      latch.admit(packet(sequence), sdp.address, port, now)
    expect(latch.flowing(ms - 100)).toBeUndefined()
    latch.admit(packet(3000), sdp.address, port, ms + 100)
    expect(latch.flowing(ms + 100)).toEqual({ address: sdp.address, port })
    expect(latch.flowing(ms + 1200)).toBeUndefined()
    latch.admit(packet(4000), sdp.address, port, ms + 1500)
    expect(latch.flowing(ms + 1500)).toBeUndefined()
  }
})

test('D276: after a new SDP nothing flows', () => {
  const latch = expecting()
  for (let now = 0; now <= 3000; now += 20) latch.admit(packet(now), sdp.address, sdp.port, now)
  expect(latch.flowing(3000)).toBeDefined()
  latch.expect({ ...sdp, port: 4002 })
  expect(latch.flowing(3000)).toBeUndefined()
})
