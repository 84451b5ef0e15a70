import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headerOf } from '../testing/phone.ts'
import { decode, powerShare, rtpPacket, toneOctets } from '../testing/sound.ts'
import { createRelay, type PacketKind, type RelayEvent } from './relay.ts'
import type { Direction, SideName } from './side.ts'

const alaw = { number: 8, codec: 'PCMA' } as const
const mulaw = { number: 0, codec: 'PCMU' } as const
const telephoneEvent = (number: number) => ({ number, codec: 'telephone-event' }) as const
const places = {
  extension: { address: '192.0.2.1', port: 4000 },
  other: { address: '192.0.2.2', port: 5000 },
}

/** A relay without sockets; `say` sends from the address and port of the SDP. */
function joined({ silentAfterMs = 30_000 } = {}) {
  const sent: { to: SideName; kind: PacketKind; packet: Buffer; port: number }[] = []
  const events: RelayEvent[] = []
  const relay = createRelay({
    silentAfterMs,
    onEvent: (event) => events.push(event),
    send: (to, kind, packet, port) => sent.push({ to, kind, packet, port }),
  })
  relay.expect('extension', { ...places.extension, payloads: [alaw, telephoneEvent(101)] }, 0)
  relay.expect('other', { ...places.other, payloads: [alaw, telephoneEvent(96)] }, 0)
  const say = (side: SideName, packet: Buffer, now = 0) =>
    relay.receiveRtp(side, packet, places[side].port, places[side].address, now)
  return { relay, sent, events, say }
}

test.each([
  ['version 1', Buffer.concat([Buffer.from([0x40]), Buffer.alloc(40)])],
  ['a few octets', Buffer.from([0x80, 8, 0])],
  ['a header alone', rtpPacket({ sequence: 1, octets: new Uint8Array() })],
  ['1501 octets', rtpPacket({ sequence: 1, octets: new Uint8Array(1489) })],
  ['an extension longer than the packet', Buffer.from(`90080001${'00'.repeat(8)}0000ffff00`, 'hex')],
  ['padding longer than the packet', Buffer.from(`a0080001${'00'.repeat(8)}ff`, 'hex')],
])('%s is dropped as malformed', (_, packet) => {
  const { relay, sent, say } = joined()
  say('extension', packet)
  expect(sent).toEqual([])
  expect(relay.statistics().extension.dropped.malformed).toBe(1)
})

test('a payload type that was not negotiated is dropped', () => {
  const { relay, sent, say } = joined()
  say('extension', rtpPacket({ sequence: 1, payload: 18 }))
  expect(sent).toEqual([])
  expect(relay.statistics().extension.dropped.payload).toBe(1)
})

test('a codec that both sides use passes unchanged', () => {
  const { sent, say } = joined()
  say('extension', rtpPacket({ sequence: 9 }))
  expect(sent).toEqual([{ to: 'other', kind: 'rtp', packet: rtpPacket({ sequence: 9 }), port: 5000 }])
})

test('audio is converted for a side with another codec', () => {
  const { relay, sent, say } = joined()
  relay.expect('other', { ...places.other, payloads: [mulaw] }, 0)
  say('extension', rtpPacket({ sequence: 9, octets: toneOctets(1000, 'PCMA').subarray(0, 160) }))
  const packet = sent[0]?.packet ?? Buffer.alloc(0)
  expect(headerOf(packet)).toMatchObject({ payloadType: 0, sequence: 9, timestamp: 9 * 160 })
  expect(powerShare(decode(packet.subarray(12), 'PCMU'), 1000)).toBeGreaterThan(0.99)
})

test('a digit gets the payload type of the other side and is emitted once', () => {
  const { sent, events, say } = joined()
  const pressed = Uint8Array.of(11, 10, 0, 160)
  for (const sequence of [1, 2, 3])
    say('extension', rtpPacket({ payload: 101, sequence, timestamp: 800, octets: pressed }))
  expect(sent.map(({ packet }) => headerOf(packet).payloadType)).toEqual([96, 96, 96])
  expect(events.filter(({ type }) => type === 'dtmf')).toEqual([
    { type: 'dtmf', side: 'extension', digit: '#', by: 'event' },
  ])
})

test('a digit is emitted even if the other side has no telephone events', () => {
  const { relay, sent, events, say } = joined()
  relay.expect('other', { ...places.other, payloads: [alaw] }, 0)
  say('extension', rtpPacket({ payload: 101, sequence: 1, octets: Uint8Array.of(5, 10, 0, 160) }))
  expect(sent).toEqual([])
  expect(events).toContainEqual({ type: 'dtmf', side: 'extension', digit: '5', by: 'event' })
  expect(relay.statistics().extension.dropped.undeliverable).toBe(1)
})

test.each<[Direction, SideName[]]>([
  ['sendrecv', ['extension', 'other']],
  ['sendonly', ['other']],
  ['recvonly', ['extension']],
  ['inactive', []],
])('with the extension %s these sides receive media: %j', (direction, receiving) => {
  const { relay, sent, say } = joined()
  relay.setDirection('extension', direction, 0)
  say('other', rtpPacket({ sequence: 1 }))
  say('extension', rtpPacket({ sequence: 1 }))
  expect(sent.map(({ to }) => to)).toEqual(receiving)
})

test.each(['0.0.0.0', '239.1.2.3', '255.255.255.255', 'phone.example'])(
  'nothing is sent to %s',
  (address) => {
    const { relay, sent, say } = joined()
    relay.expect('other', { address, port: 5000, payloads: [alaw] }, 0)
    say('extension', rtpPacket({ sequence: 1 }))
    expect(sent).toEqual([])
  },
)

test('the silence of a side that should send is emitted once, and again after it has resumed', () => {
  const { relay, events, say } = joined({ silentAfterMs: 1000 })
  const silent = () => events.filter(({ type }) => type === 'silent')
  say('extension', rtpPacket({ sequence: 1 }), 900)
  for (const now of [999, 1000, 1100, 1899]) relay.checkSilence(now)
  expect(silent()).toEqual([{ type: 'silent', side: 'other' }])
  relay.checkSilence(1900)
  expect(silent().at(-1)).toEqual({ type: 'silent', side: 'extension' })
  say('other', rtpPacket({ sequence: 1 }), 2000)
  expect(events.at(-2)).toEqual({ type: 'resumed', side: 'other' })
  relay.checkSilence(3000)
  expect(silent()).toHaveLength(3)
})

test('a new SDP ends the silence of a side', () => {
  const { relay, events } = joined({ silentAfterMs: 1000 })
  relay.checkSilence(1000)
  relay.setDirection('other', 'recvonly', 1500)
  expect(events.at(-1)).toEqual({ type: 'resumed', side: 'other' })
})

test('a side on hold is never silent', () => {
  const { relay, events } = joined({ silentAfterMs: 1000 })
  relay.setDirection('extension', 'recvonly', 0)
  relay.setDirection('other', 'inactive', 0)
  relay.checkSilence(60_000)
  expect(events).toEqual([])
})

test('ringback ends with the first media of the other side, in one stream', () => {
  const { relay, sent, say } = joined()
  const ringback = { tone: { hertz: [425], cadence: [1000, 4000] }, untilMedia: true }
  relay.playTone('extension', ringback, 0)
  for (const now of [0, 20, 40]) relay.tick(now)
  say('other', rtpPacket({ sequence: 700, ssrc: 9 }), 60)
  relay.tick(60)
  expect(relay.isPlaying()).toBe(false)
  const headers = sent.map(({ packet }) => headerOf(packet))
  const first = headers[0]?.sequence ?? 0
  expect(headers.map(({ sequence }) => sequence - first)).toEqual([0, 1, 2, 3])
  expect(new Set(headers.map(({ ssrc }) => ssrc)).size).toBe(1)
})

test('any other tone replaces the media of the other side until it ends', () => {
  const { relay, sent, say } = joined()
  relay.playTone('extension', { tone: { hertz: [1400], cadence: [] }, durationMs: 40 }, 0)
  relay.tick(0)
  say('other', rtpPacket({ sequence: 1 }), 10)
  expect(sent).toHaveLength(1)
  for (const now of [20, 40]) relay.tick(now)
  say('other', rtpPacket({ sequence: 2 }), 50)
  expect(sent).toHaveLength(3)
  expect(relay.statistics().other.dropped.replaced).toBe(1)
})

test('a payload type of more than seven bits is refused', () => {
  const { relay } = joined()
  const payloads = [{ number: 128, codec: 'PCMA' as const }]
  expect(() => relay.expect('other', { ...places.other, payloads }, 0)).toThrow(RangeError)
})

test('an earlier digit that comes late is not emitted again', () => {
  const { events, say } = joined()
  const press = (key: number, sequence: number, timestamp: number) =>
    say('other', rtpPacket({ payload: 96, sequence, timestamp, octets: Uint8Array.of(key, 0, 0, 0) }))
  press(1, 1, 800)
  press(2, 3, 1600)
  press(1, 2, 800)
  press(2, 4, 2400)
  const digits = events.flatMap((event) => (event.type === 'dtmf' ? [event.digit] : []))
  expect(digits).toEqual(['1', '2', '2'])
})

test('no packet throws, whatever is in it', () => {
  const { relay, sent, say } = joined()
  relay.playTone('extension', { tone: { hertz: [425], cadence: [] }, untilMedia: true }, 0)
  relay.tick(0)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), fc.nat(207), (octets, rtcp, type) => {
      const packet = Buffer.from(octets)
      if (packet.length > 1) packet.set([0x80 | (packet[0] ?? 0), rtcp ? 200 + (type % 8) : type])
      if (rtcp && packet.length > 3) packet.writeUInt16BE(Math.max(0, (packet.length >> 2) - 1), 2)
      const whole = rtcp ? packet.subarray(0, packet.length & ~3) : packet
      if (rtcp) relay.receiveRtcp('other', whole, 5001, places.other.address, 0)
      else say('other', whole)
    }),
    { numRuns: 5000 },
  )
  say('other', rtpPacket({ sequence: 1 }))
  expect(sent.at(-1)).toMatchObject({ to: 'extension', port: 4000 })
})

test('after a re-INVITE with other ports, RTCP and media are latched again', () => {
  const { relay, sent, events, say } = joined()
  const report = () => Buffer.from('80c9000100000001', 'hex')
  say('extension', rtpPacket({ sequence: 1 }))
  relay.receiveRtcp('extension', report(), 4001, places.extension.address, 0)
  relay.expect('extension', { ...places.extension, port: 4100, payloads: [alaw] }, 0)
  relay.receiveRtp('extension', rtpPacket({ sequence: 2 }), 4100, places.extension.address, 0)
  relay.receiveRtcp('extension', report(), 4101, places.extension.address, 0)
  expect(sent.map(({ kind }) => kind)).toEqual(['rtp', 'rtcp', 'rtp', 'rtcp'])
  expect(events).toEqual([
    { type: 'media', side: 'extension' },
    { type: 'media', side: 'extension' },
  ])
})

test('RTCP of another port of the same address is neither relayed nor latched', () => {
  const { relay, sent, say } = joined()
  const goodbye = () => Buffer.from('81cb000100000001', 'hex')
  const take = (port: number) => relay.receiveRtcp('extension', goodbye(), port, places.extension.address, 0)
  // Without RTP yet the side may be behind NAT; the port of its SDP wins all the same.
  take(6666)
  take(4001)
  take(6666)
  expect(sent).toHaveLength(2)
  relay.receiveRtcp('other', goodbye(), 5001, places.other.address, 0)
  expect(sent.at(-1)).toMatchObject({ to: 'extension', port: 4001 })
  say('other', rtpPacket({ sequence: 1 }))
  relay.receiveRtcp('other', goodbye(), 6666, places.other.address, 0)
  expect(sent.filter(({ kind }) => kind === 'rtcp')).toHaveLength(3)
  expect(relay.statistics().other.dropped.foreign).toBe(1)
})

test('lost and late packets are counted by sequence number', () => {
  const { relay, say } = joined()
  for (const sequence of [1, 2, 5, 4, 6]) say('extension', rtpPacket({ sequence }))
  expect(relay.statistics().extension).toMatchObject({ lost: 1, late: 1, received: { packets: 5 } })
})

test('D175: an address that was never heard gets five seconds of sound, then one packet a second', () => {
  const { relay, sent, say } = joined()
  relay.expect('other', { ...places.other, signalsFrom: '198.51.100.9', payloads: [alaw] }, 0)
  const talk = (from: number, seconds: number) => {
    for (let n = 0; n < 50 * seconds; n += 1)
      say('extension', rtpPacket({ sequence: from * 50 + n }), (from + n / 50) * 1000)
    return sent.splice(0).length
  }
  expect(talk(0, 5)).toBe(250)
  expect(talk(5, 10)).toBeLessThanOrEqual(10)
  relay.expect(
    'other',
    { ...places.other, port: 6000, signalsFrom: '198.51.100.9', payloads: [alaw] },
    15_000,
  )
  expect(talk(15, 10)).toBeLessThanOrEqual(10)
  relay.receiveRtp('other', rtpPacket({ sequence: 1 }), 6000, places.other.address, 25_000)
  sent.splice(0)
  expect(talk(25, 1)).toBe(50)
})

test('D175: the address that a side signals from has answered us already, and gets all sound', () => {
  const { sent, say } = joined()
  for (let sequence = 0; sequence < 1_000; sequence += 1)
    say('extension', rtpPacket({ sequence }), sequence * 20)
  expect(sent).toHaveLength(1_000)
})
