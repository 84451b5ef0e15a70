/** A packet whose sound is needed for several purposes is decoded once: decoding is most of the cost of Opus. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Decode } from '../codecs/codec.ts'
import { opus } from '../codecs/opus.ts'
import { startRecorder } from '../sound/recorder.ts'
import { renderSamples } from '../sound/tone.ts'
import { decode, encode, powerShare, rtpPacket, samplesPerPacket } from '../testing/sound.ts'
import { channelOf } from '../testing/wav-file.ts'
import { createRelay } from './relay.ts'

const place = { address: '192.0.2.1', port: 4000 }
const opusTicksPerPacket = 960

/** How many packets of Opus are decoded from now on. */
function countDecoded() {
  const { createDecoder } = opus.audio
  let packets = 0
  const spy = vi.spyOn(opus.audio, 'createDecoder').mockImplementation(() => {
    const decodeOpus = createDecoder()
    return (...args: Parameters<Decode>) => {
      packets += 1
      return decodeOpus(...args)
    }
  })
  onTestFinished(() => spy.mockRestore())
  return () => packets
}

function createTestRelay() {
  const sent: Buffer[] = []
  const relay = createRelay({
    silentAfterMs: 30_000,
    onEvent() {},
    send: (_to, _kind, packet) => sent.push(packet),
  })
  return { relay, sent }
}

async function record() {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-decoding-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'call.wav')
  const recorder = startRecorder(path, 0)
  await recorder.opened
  return { path, recorder }
}

test('a packet that is searched for keys, recorded and transcoded is decoded once', async () => {
  const decodedPackets = countDecoded()
  const { relay, sent } = createTestRelay()
  relay.expect('extension', { ...place, payloads: [{ number: 8, codec: 'PCMA' }] }, 0)
  relay.expect('other', { ...place, payloads: [{ number: 96, codec: 'opus' }], detectsKeys: true }, 0)
  const { path, recorder } = await record()
  relay.record(recorder)

  const tone = renderSamples({ hertz: [1000], cadence: [] })
  const packets = tone.length / samplesPerPacket
  const encodeOpus = opus.audio.createEncoder()
  for (let at = 0; at < packets; at += 1) {
    const payload = new Uint8Array(1500)
    const samples = tone.subarray(at * samplesPerPacket, (at + 1) * samplesPerPacket)
    const octets = payload.subarray(0, encodeOpus(samples, samples.length, payload, 0))
    const packet = rtpPacket({ payload: 96, sequence: at, timestamp: at * opusTicksPerPacket, octets })
    relay.receiveRtp('other', packet, place.port, place.address, at * 20)
  }
  await recorder.finish(1000)

  expect(decodedPackets()).toBe(packets)
  const relayed = decode(Buffer.concat(sent.map((packet) => packet.subarray(12))), 'PCMA')
  expect(powerShare(relayed.subarray(2000, 6000), 1000)).toBeGreaterThan(0.98)
  // The same sound, but for what A-law rounds.
  const recorded = channelOf(await readFile(path), 1)
  expect(encode(recorded, 'PCMA')).toEqual(encode(relayed, 'PCMA'))
})

test('a packet that only passes through is not decoded', () => {
  const decodedPackets = countDecoded()
  const { relay, sent } = createTestRelay()
  const payloads = [{ number: 96, codec: 'opus' as const }]
  relay.expect('extension', { ...place, payloads }, 0)
  relay.expect('other', { ...place, payloads }, 0)
  const octets = new Uint8Array(40)
  relay.receiveRtp('other', rtpPacket({ payload: 96, sequence: 1, octets }), place.port, place.address, 0)
  expect([sent.length, decodedPackets()]).toEqual([1, 0])
})
