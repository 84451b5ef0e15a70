import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headerOf } from '../testing/phone.ts'
import { decode, rtpPacket, share, toneOctets } from '../testing/sound.ts'
import { createRelay, type RelayEvent, type Wire } from './relay.ts'
import type { Direction, SideName } from './side.ts'

const alaw = { number: 8, codec: 'PCMA' } as const
const mulaw = { number: 0, codec: 'PCMU' } as const
const keys = (number: number) => ({ number, codec: 'telephone-event' }) as const
const places = {
  extension: { address: '192.0.2.1', port: 4000 },
  other: { address: '192.0.2.2', port: 5000 },
}

/** A call without sockets; `say` speaks from where SDP told. */
function joined({ silentAfter = 30_000 } = {}) {
  const sent: { to: SideName; wire: Wire; packet: Buffer; port: number }[] = []
  const events: RelayEvent[] = []
  const relay = createRelay({
    silentAfter,
    tell: (event) => events.push(event),
    send: (to, wire, packet, port) => sent.push({ to, wire, packet, port }),
  })
  relay.expect('extension', { ...places.extension, payloads: [alaw, keys(101)] }, 0)
  relay.expect('other', { ...places.other, payloads: [alaw, keys(96)] }, 0)
  const say = (side: SideName, packet: Buffer, now = 0) =>
    relay.takeRtp(side, packet, places[side].port, places[side].address, now)
  return { relay, sent, events, say }
}

test.each([
  ['version 1', Buffer.concat([Buffer.from([0x40]), Buffer.alloc(40)])],
  ['a few octets', Buffer.from([0x80, 8, 0])],
  ['a header alone', rtpPacket({ sequence: 1, octets: new Uint8Array() })],
  ['1501 octets', rtpPacket({ sequence: 1, octets: new Uint8Array(1489) })],
  ['an extension longer than the packet', Buffer.from(`90080001${'00'.repeat(8)}0000ffff00`, 'hex')],
  ['padding longer than the packet', Buffer.from(`a0080001${'00'.repeat(8)}ff`, 'hex')],
])('%s is malformed and goes no further', (_, packet) => {
  const { relay, sent, say } = joined()
  say('extension', packet)
  expect(sent).toEqual([])
  expect(relay.statistics().extension.dropped.malformed).toBe(1)
})

test('a payload type that was not agreed goes no further', () => {
  const { relay, sent, say } = joined()
  say('extension', rtpPacket({ sequence: 1, payload: 18 }))
  expect(sent).toEqual([])
  expect(relay.statistics().extension.dropped.payload).toBe(1)
})

test('what both sides speak passes octet by octet', () => {
  const { sent, say } = joined()
  say('extension', rtpPacket({ sequence: 9 }))
  expect(sent).toEqual([{ to: 'other', wire: 'rtp', packet: rtpPacket({ sequence: 9 }), port: 5000 }])
})

test('a side that insists on the other law hears the same tone in it', () => {
  const { relay, sent, say } = joined()
  relay.expect('other', { ...places.other, payloads: [mulaw] }, 0)
  say('extension', rtpPacket({ sequence: 9, octets: toneOctets(1000, 'PCMA').subarray(0, 160) }))
  const packet = sent[0]?.packet ?? Buffer.alloc(0)
  expect(headerOf(packet)).toMatchObject({ payload: 0, sequence: 9, timestamp: 9 * 160 })
  expect(share(decode(packet.subarray(12), 'PCMU'), 1000)).toBeGreaterThan(0.99)
})

test('a key is renumbered to the payload of the other side and told once', () => {
  const { sent, events, say } = joined()
  const pressed = Uint8Array.of(11, 10, 0, 160)
  for (const sequence of [1, 2, 3])
    say('extension', rtpPacket({ payload: 101, sequence, timestamp: 800, octets: pressed }))
  expect(sent.map(({ packet }) => headerOf(packet).payload)).toEqual([96, 96, 96])
  expect(events.filter(({ type }) => type === 'dtmf')).toEqual([
    { type: 'dtmf', side: 'extension', digit: '#' },
  ])
})

test('a key goes no further when the other side knows none, and is told all the same', () => {
  const { relay, sent, events, say } = joined()
  relay.expect('other', { ...places.other, payloads: [alaw] }, 0)
  say('extension', rtpPacket({ payload: 101, sequence: 1, octets: Uint8Array.of(5, 10, 0, 160) }))
  expect(sent).toEqual([])
  expect(events).toContainEqual({ type: 'dtmf', side: 'extension', digit: '5' })
  expect(relay.statistics().extension.dropped.undeliverable).toBe(1)
})

test.each<[Direction, SideName[]]>([
  ['sendrecv', ['extension', 'other']],
  ['sendonly', ['other']],
  ['recvonly', ['extension']],
  ['inactive', []],
])('with the extension %s these hear something: %j', (direction, hearing) => {
  const { relay, sent, say } = joined()
  relay.setDirection('extension', direction, 0)
  say('other', rtpPacket({ sequence: 1 }))
  say('extension', rtpPacket({ sequence: 1 }))
  expect(sent.map(({ to }) => to)).toEqual(hearing)
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

test('a side that should send and does not is told silent once, and again after it was heard', () => {
  const { relay, events, say } = joined({ silentAfter: 1000 })
  const silent = () => events.filter(({ type }) => type === 'silent')
  say('extension', rtpPacket({ sequence: 1 }), 900)
  for (const now of [999, 1000, 1100, 1899]) relay.checkSilence(now)
  expect(silent()).toEqual([{ type: 'silent', side: 'other' }])
  relay.checkSilence(1900)
  expect(silent().at(-1)).toEqual({ type: 'silent', side: 'extension' })
  say('other', rtpPacket({ sequence: 1 }), 2000)
  expect(events.at(-2)).toEqual({ type: 'heard', side: 'other' })
  relay.checkSilence(3000)
  expect(silent()).toHaveLength(3)
})

test('the silence of a side that is described anew is forgiven, and told so', () => {
  const { relay, events } = joined({ silentAfter: 1000 })
  relay.checkSilence(1000)
  relay.setDirection('other', 'recvonly', 1500)
  expect(events.at(-1)).toEqual({ type: 'heard', side: 'other' })
})

test('a side on hold is not told silent', () => {
  const { relay, events } = joined({ silentAfter: 1000 })
  relay.setDirection('extension', 'recvonly', 0)
  relay.setDirection('other', 'inactive', 0)
  relay.checkSilence(60_000)
  expect(events).toEqual([])
})

test('ringback gives way to the first sound of the other side, in one stream', () => {
  const { relay, sent, say } = joined()
  const wish = { tone: { hertz: [425], cadence: [1000, 4000] }, untilMedia: true }
  relay.playTone('extension', wish, 0)
  for (const now of [0, 20, 40]) relay.tick(now)
  say('other', rtpPacket({ sequence: 700, ssrc: 9 }), 60)
  relay.tick(60)
  expect(relay.playing()).toBe(false)
  const headers = sent.map(({ packet }) => headerOf(packet))
  const first = headers[0]?.sequence ?? 0
  expect(headers.map(({ sequence }) => sequence - first)).toEqual([0, 1, 2, 3])
  expect(new Set(headers.map(({ ssrc }) => ssrc)).size).toBe(1)
})

test('any other tone replaces what the other side says until it ends', () => {
  const { relay, sent, say } = joined()
  relay.playTone('extension', { tone: { hertz: [1400], cadence: [] }, lasting: 40 }, 0)
  relay.tick(0)
  say('other', rtpPacket({ sequence: 1 }), 10)
  expect(sent).toHaveLength(1)
  for (const now of [20, 40]) relay.tick(now)
  say('other', rtpPacket({ sequence: 2 }), 50)
  expect(sent).toHaveLength(3)
  expect(relay.statistics().other.dropped.replaced).toBe(1)
})

test('a payload number beyond seven bits is refused', () => {
  const { relay } = joined()
  const payloads = [{ number: 128, codec: 'PCMA' as const }]
  expect(() => relay.expect('other', { ...places.other, payloads }, 0)).toThrow(RangeError)
})

test('an earlier key that comes late is not told again', () => {
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

test('no packet of a stranger throws, whatever is in it', () => {
  const { relay, sent, say } = joined()
  relay.playTone('extension', { tone: { hertz: [425], cadence: [] }, untilMedia: true }, 0)
  relay.tick(0)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), fc.nat(207), (octets, rtcp, type) => {
      const packet = Buffer.from(octets)
      if (packet.length > 1) packet.set([0x80 | (packet[0] ?? 0), rtcp ? 200 + (type % 8) : type])
      if (rtcp && packet.length > 3) packet.writeUInt16BE(Math.max(0, (packet.length >> 2) - 1), 2)
      const whole = rtcp ? packet.subarray(0, packet.length & ~3) : packet
      if (rtcp) relay.takeRtcp('other', whole, 5001, places.other.address)
      else say('other', whole)
    }),
    { numRuns: 5000 },
  )
  say('other', rtpPacket({ sequence: 1 }))
  expect(sent.at(-1)).toMatchObject({ to: 'extension', port: 4000 })
})

test('after a re-INVITE to other ports RTCP is learned anew and media is told anew', () => {
  const { relay, sent, events, say } = joined()
  const report = () => Buffer.from('80c9000100000001', 'hex')
  say('extension', rtpPacket({ sequence: 1 }))
  relay.takeRtcp('extension', report(), 4001, places.extension.address)
  relay.expect('extension', { ...places.extension, port: 4100, payloads: [alaw] }, 0)
  relay.takeRtp('extension', rtpPacket({ sequence: 2 }), 4100, places.extension.address, 0)
  relay.takeRtcp('extension', report(), 4101, places.extension.address)
  expect(sent.map(({ wire }) => wire)).toEqual(['rtp', 'rtcp', 'rtp', 'rtcp'])
  expect(events).toEqual([
    { type: 'media', side: 'extension' },
    { type: 'media', side: 'extension' },
  ])
})

test('RTCP of a third party on the same address is not passed on, nor is it answered', () => {
  const { relay, sent, say } = joined()
  const goodbye = () => Buffer.from('81cb000100000001', 'hex')
  const take = (port: number) => relay.takeRtcp('extension', goodbye(), port, places.extension.address)
  // Before the side was heard it may be behind a NAT; its own port wins all the same.
  take(6666)
  take(4001)
  take(6666)
  expect(sent).toHaveLength(2)
  relay.takeRtcp('other', goodbye(), 5001, places.other.address)
  expect(sent.at(-1)).toMatchObject({ to: 'extension', port: 4001 })
  say('other', rtpPacket({ sequence: 1 }))
  relay.takeRtcp('other', goodbye(), 6666, places.other.address)
  expect(sent.filter(({ wire }) => wire === 'rtcp')).toHaveLength(3)
  expect(relay.statistics().other.dropped.foreign).toBe(1)
})

test('lost and late packets are counted by their numbers', () => {
  const { relay, say } = joined()
  for (const sequence of [1, 2, 5, 4, 6]) say('extension', rtpPacket({ sequence }))
  expect(relay.statistics().extension).toMatchObject({ lost: 1, late: 1, received: { packets: 5 } })
})
