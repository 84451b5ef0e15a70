/** D280: keys sent to a side, and found in its sound. */
import { expect, test } from 'vitest'
import { createKeyDetector, keyTone } from '../sound/key-tones.ts'
import { renderSamples } from '../sound/tone.ts'
import { headerOf } from '../testing/phone.ts'
import { decode, encode, rtpPacket } from '../testing/sound.ts'
import { createRelay, type RelayEvent } from './relay.ts'

const alaw = { number: 8, codec: 'PCMA' } as const
const telephoneEvent = { number: 96, codec: 'telephone-event' } as const
const place = { address: '192.0.2.1', port: 4000 }

/** The other side has no telephone events. */
function joined() {
  const sent: { to: string; packet: Buffer }[] = []
  const events: RelayEvent[] = []
  const relay = createRelay({
    silentAfterMs: 30_000,
    onEvent: (event) => events.push(event),
    send: (to, _kind, packet) => sent.push({ to, packet: Buffer.from(packet) }),
  })
  relay.expect('extension', { ...place, payloads: [alaw, telephoneEvent] }, 0)
  relay.expect('other', { ...place, payloads: [alaw], detectsKeys: true }, 0)
  const sentTo = (side: string) => sent.filter(({ to }) => to === side).map(({ packet }) => packet)
  return { relay, events, sentTo }
}

const soundOf = (packets: Buffer[]) =>
  decode(Buffer.concat(packets.map((packet) => packet.subarray(12))), 'PCMA')

test('a side with telephone events gets a key as one event, whose end is sent three times', () => {
  const { relay, sentTo } = joined()
  relay.pressKeys('extension', '7#', 0)
  for (let now = 0; relay.isPlaying(); now += 20) relay.tick(now)
  const packets = sentTo('extension').map((packet) => ({
    ...headerOf(packet),
    payload: [...packet.subarray(12)],
  }))
  const first = packets.filter(({ payload }) => payload[0] === 7)
  const second = packets.filter(({ payload }) => payload[0] === 11)
  expect(packets).toHaveLength(16)
  for (const key of [first, second]) {
    expect(key.map(({ payload }) => payload[3] ?? 0).at(-1)).toBe(800 & 255)
    expect(key.filter(({ payload }) => (payload[1] ?? 0) & 0x80)).toHaveLength(3)
    expect(new Set(key.map(({ timestamp }) => timestamp)).size).toBe(1)
    expect(key.map(({ marker }) => marker)).toEqual([true, ...Array(7).fill(false)])
  }
  expect((second[0]?.timestamp ?? 0) - (first[0]?.timestamp ?? 0)).toBe(11 * 160)
})

test('a side without telephone events gets a key as a tone, and the sound of its peer afterwards', () => {
  const { relay, sentTo } = joined()
  relay.pressKeys('other', '85', 0)
  let sequence = 0
  const say = (now: number) => {
    sequence += 1
    relay.receiveRtp('extension', rtpPacket({ sequence }), place.port, place.address, now)
  }
  for (let now = 0; relay.isPlaying(); now += 20) {
    relay.tick(now)
    say(now)
  }
  const samples = soundOf(sentTo('other'))
  expect(createKeyDetector().detect(samples, samples.length)).toBe('85')
  const before = sentTo('other').length
  say(2000)
  expect(sentTo('other').length).toBe(before + 1)
  const numbers = sentTo('other').map((packet) => headerOf(packet).sequence)
  expect(numbers.every((number, at) => at === 0 || number === ((numbers[at - 1] ?? 0) + 1) % 65_536)).toBe(
    true,
  )
})

test('keys in the sound of a side without telephone events are reported and silenced for its peer', () => {
  const { relay, events, sentTo } = joined()
  const octets = encode(renderSamples(keyTone('3')), 'PCMA')
  for (let at = 0; at < octets.length; at += 160) {
    const packet = rtpPacket({ sequence: 1 + at / 160, octets: octets.subarray(at, at + 160) })
    relay.receiveRtp('other', packet, place.port, place.address, at / 8)
  }
  expect(events.filter(({ type }) => type === 'dtmf')).toEqual([
    { type: 'dtmf', side: 'other', digit: '3', by: 'sound' },
  ])
  expect(sentTo('extension')).toHaveLength(11)
  const samples = soundOf(sentTo('extension'))
  expect(createKeyDetector().detect(samples, samples.length)).toBe('')
})

test('a tone goes on after keys, in one stream', () => {
  const { relay, sentTo } = joined()
  relay.playTone('other', { tone: { hertz: [425], cadence: [] } }, 0)
  for (let now = 0; now < 1000; now += 20) {
    if (now === 200) relay.pressKeys('other', '1', now)
    relay.tick(now)
  }
  const headers = sentTo('other').map((packet) => headerOf(packet))
  expect(headers.length).toBeGreaterThan(45)
  const steps = headers.slice(1).map(({ timestamp }, at) => timestamp - (headers[at]?.timestamp ?? 0))
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...steps)).toBeLessThanOrEqual(4 * 160)
})
