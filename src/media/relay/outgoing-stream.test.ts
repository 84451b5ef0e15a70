import { expect, test } from 'vitest'
import { headerOf } from '../testing/phone.ts'
import { rtpPacket } from '../testing/sound.ts'
import { createOutgoingStream, type OutgoingStream } from './outgoing-stream.ts'

function relay(outgoing: OutgoingStream, sequence: number, now: number, ssrc = 7) {
  const packet = rtpPacket({ sequence, ssrc })
  const marked = outgoing.relay(packet, headerOf(packet), now, 1)
  return { ...headerOf(packet), marked }
}

function tone(outgoing: OutgoingStream, index: number, now: number) {
  const packet = rtpPacket({ sequence: 0 })
  outgoing.writeToneHeader(packet, 8, { index, marker: index === 0, now })
  return headerOf(packet)
}

test('packets relayed from one source keep their own numbers', () => {
  const passed = relay(createOutgoingStream(), 41, 0)
  expect(passed).toMatchObject({ sequence: 41, timestamp: 41 * 160, ssrc: 7, marked: false })
})

test('after a tone the relayed packets continue its stream', () => {
  const outgoing = createOutgoingStream()
  outgoing.beginTone(0)
  const played = [tone(outgoing, 0, 0), tone(outgoing, 1, 20)].at(-1)
  const first = relay(outgoing, 5000, 60)
  const second = relay(outgoing, 5001, 80)
  expect(first.ssrc).toBe(played?.ssrc)
  expect(first.sequence).toBe(((played?.sequence ?? 0) + 1) & 0xffff)
  expect(first.timestamp).toBe(((played?.timestamp ?? 0) + 40 * 8) >>> 0)
  expect(first.marked).toBe(true)
  expect(second).toMatchObject({
    sequence: first.sequence + 1,
    timestamp: first.timestamp + 160,
    marked: false,
  })
})

test('a tone in the middle of a call continues the stream it interrupts', () => {
  const outgoing = createOutgoingStream()
  relay(outgoing, 41, 1000)
  outgoing.beginTone(1020)
  expect(tone(outgoing, 0, 1020)).toMatchObject({ ssrc: 7, sequence: 42, timestamp: 42 * 160, marker: true })
})

test('a new source after a tone is renumbered too', () => {
  const outgoing = createOutgoingStream()
  outgoing.beginTone(0)
  tone(outgoing, 0, 0)
  const before = relay(outgoing, 10, 20, 7)
  const after = relay(outgoing, 60_000, 40, 8)
  expect(after).toMatchObject({ ssrc: before.ssrc, sequence: before.sequence + 1, marked: true })
  expect(after.timestamp).toBe(before.timestamp + 160)
})

test('a packet out of order keeps its place', () => {
  const outgoing = createOutgoingStream()
  outgoing.beginTone(0)
  tone(outgoing, 0, 0)
  const numbers = [10, 12, 11, 13].map((sequence, at) => relay(outgoing, sequence, 20 * at).sequence)
  const first = numbers[0] ?? 0
  expect(numbers.map((number) => number - first)).toEqual([0, 2, 1, 3])
})

test('between codecs of different RTP clocks the timestamps are scaled, in one stream', () => {
  const outgoing = createOutgoingStream()
  outgoing.setClockRate(48_000)
  const send = (sequence: number, now: number) => {
    const packet = rtpPacket({ sequence, ssrc: 7 })
    outgoing.relay(packet, headerOf(packet), now, 6)
    return headerOf(packet)
  }
  const [first, second, fourth, third] = [send(10, 0), send(11, 20), send(13, 60), send(12, 61)]
  const steps = [second, third, fourth].map(({ timestamp }) => (timestamp - first.timestamp) >>> 0)
  expect(steps).toEqual([960, 1920, 2880])
  expect(new Set([first, second, third, fourth].map(({ ssrc }) => ssrc)).size).toBe(1)
  expect(outgoing.renumbering()).toMatchObject({ source: 7, ssrc: first.ssrc, clockRatio: 6 })
})
