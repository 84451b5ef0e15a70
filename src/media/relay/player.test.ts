import { expect, test } from 'vitest'
import { renderSamples } from '../sound/tone.ts'
import { decode, powerShare } from '../testing/sound.ts'
import { createRelay } from './relay.ts'
import type { Direction } from './side.ts'

/** 100 ms and a half packet. */
const jingle = renderSamples({ hertz: [600], cadence: [] }).subarray(0, 880)

/** Plays to the other side for a while; the packets it got. */
function play(
  request: object,
  { codec = 'PCMA' as 'PCMA' | 'PCMU', direction = 'sendrecv' as Direction } = {},
) {
  const sent: Buffer[] = []
  const relay = createRelay({
    silentAfterMs: 30_000,
    sounds: { jingle },
    onEvent() {},
    send: (_to, _kind, packet) => void sent.push(Buffer.from(packet)),
  })
  const number = codec === 'PCMA' ? 8 : 0
  relay.expect('other', { address: '192.0.2.2', port: 5000, payloads: [{ number, codec }], direction }, 0)
  relay.playTone('other', { sound: 'jingle', ...request }, 0)
  for (let now = 0; now < 1000; now += 20) relay.tick(now)
  return { sent, isPlaying: relay.isPlaying() }
}

test.each(['PCMA', 'PCMU'] as const)('a sound is played in the codec of the side, %s, and ends', (codec) => {
  const { sent, isPlaying } = play({}, { codec })
  expect([sent.length, isPlaying]).toEqual([6, false])
  expect(sent.map((packet) => packet.readUInt8(1) & 127)).toEqual(Array(6).fill(codec === 'PCMA' ? 8 : 0))
  const samples = decode(Buffer.concat(sent.slice(0, 5).map((packet) => packet.subarray(12))), codec)
  expect(powerShare(samples, 600)).toBeGreaterThan(0.9)
  const steps = sent.slice(1).map((packet, index) => {
    const before = sent[index] ?? packet
    return [packet.readUInt16BE(2) - before.readUInt16BE(2), packet.readUInt32BE(4) - before.readUInt32BE(4)]
  })
  expect(steps).toEqual(Array(5).fill([1, 160]))
})

test('it is repeated until it is stopped', () => {
  const { sent, isPlaying } = play({ isRepeated: true })
  expect([sent.length, isPlaying]).toEqual([50, true])
  expect(sent[6]?.subarray(12)).toEqual(sent[0]?.subarray(12))
})

test('a side that does not receive gets none of it', () => {
  expect(play({ isRepeated: true }, { direction: 'inactive' }).sent).toEqual([])
})

test('an unknown sound is refused', () => {
  expect(() => play({ sound: 'constructor' })).toThrow('there is no sound constructor')
})
