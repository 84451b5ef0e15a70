import { expect, test } from 'vitest'
import { createHeader } from '../rtp/rtp.ts'
import { createLatch } from './latch.ts'

const told = { address: '192.0.2.1', port: 4000, behindNat: false }
const packet = (sequence: number, ssrc = 1, payload = 8) => ({ ...createHeader(), sequence, ssrc, payload })

function expecting(expected = told) {
  const latch = createLatch()
  latch.expect(expected)
  return latch
}

test('the address and port of SDP are believed at once', () => {
  expect(expecting().admit(packet(1), told.address, told.port)).toBe('taken')
})

test('another port of the same address is believed after three packets in a row', () => {
  const latch = expecting()
  const verdicts = [1, 2, 3].map((sequence) => latch.admit(packet(sequence), told.address, 5000))
  expect(verdicts).toEqual(['waiting', 'waiting', 'taken'])
  expect(latch.target()).toEqual({ address: told.address, port: 5000 })
})

test('another address is never believed unless the side is behind NAT', () => {
  const latch = expecting()
  for (let sequence = 1; sequence < 20; sequence += 1)
    expect(latch.admit(packet(sequence), '198.51.100.9', 4000)).toBe('foreign')
  const natted = expecting({ ...told, behindNat: true })
  const verdicts = [1, 2, 3].map((sequence) => natted.admit(packet(sequence), '198.51.100.9', 4000))
  expect(verdicts.at(-1)).toBe('taken')
})

test.each([
  ['source', [packet(1, 1), packet(2, 2), packet(3, 3), packet(4, 4)]],
  ['payload', [packet(1, 1, 8), packet(2, 1, 0), packet(3, 1, 8), packet(4, 1, 0)]],
  ['sequence', [packet(1), packet(900), packet(17), packet(16)]],
])('packets that change their %s make no row', (_, packets) => {
  const latch = expecting({ ...told, behindNat: true })
  for (const one of packets) expect(latch.admit(one, '198.51.100.9', 4000)).toBe('waiting')
})

test('a row may cross the end of the sequence numbers', () => {
  const latch = expecting()
  const verdicts = [65_534, 65_535, 0].map((sequence) => latch.admit(packet(sequence), told.address, 5000))
  expect(verdicts.at(-1)).toBe('taken')
})

test('once latched an attacker with a perfect row is foreign', () => {
  const latch = expecting({ ...told, behindNat: true })
  for (const sequence of [1, 2, 3]) latch.admit(packet(sequence), '198.51.100.9', 4000)
  for (const sequence of [4, 5, 6, 7])
    expect(latch.admit(packet(sequence), '203.0.113.66', 4000)).toBe('foreign')
  expect(latch.admit(packet(4), '198.51.100.9', 4000)).toBe('taken')
})

test('who was latched from anywhere gives way to the one SDP told', () => {
  const latch = expecting({ ...told, behindNat: true })
  for (const sequence of [1, 2, 3]) latch.admit(packet(sequence), '203.0.113.66', 4000)
  expect(latch.admit(packet(9, 5), told.address, told.port)).toBe('taken')
  expect(latch.admit(packet(4), '203.0.113.66', 4000)).toBe('foreign')
})

test('the same SDP again leaves the latch, another opens it', () => {
  const latch = expecting()
  for (const sequence of [1, 2, 3]) latch.admit(packet(sequence), told.address, 5000)
  latch.expect({ ...told })
  expect(latch.admit(packet(1, 9), told.address, 6000)).toBe('foreign')
  latch.expect({ ...told, port: 6000 })
  expect(latch.target()).toMatchObject({ port: 6000 })
  expect(latch.admit(packet(1, 9), told.address, 6000)).toBe('taken')
})

test('many strays cannot keep the right one out', () => {
  const latch = expecting({ ...told, behindNat: true })
  let verdict = ''
  for (const sequence of [1, 2, 3]) {
    for (let stray = 0; stray < 5; stray += 1)
      latch.admit(packet(sequence * 100 * stray, stray), '203.0.113.66', 7000 + stray)
    verdict = latch.admit(packet(sequence), '198.51.100.9', 4000)
  }
  expect(verdict).toBe('taken')
})
