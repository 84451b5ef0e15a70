import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { systemTimers } from '../../../kit/timers.ts'
import { dominantTone } from '../../../media/sound/spectrum.ts'
import { rtpPacket } from '../../../media/testing/sound.ts'
import type { Direction } from '../../../sip/sdp/sdp.ts'
import type { Terms } from '../../../sip/sdp/terms.ts'
import { plainTransport } from '../../../sip/sdp/transport.ts'
import { echoSource, toneSource } from './audio-source.ts'
import { type CallAudio, openCallAudio } from './call-audio.ts'
import { readWav } from './read-wav.ts'

const opened: CallAudio[] = []
afterEach(async () => {
  for (const audio of opened.splice(0)) await audio.close()
})

async function open(more: { record?: string; onDigit?(digit: string): void } = {}): Promise<CallAudio> {
  const audio = await openCallAudio({ host: '127.0.0.1', timers: systemTimers, ...more })
  opened.push(audio)
  return audio
}

const at = (port: number, direction: Direction = 'sendrecv'): Terms => ({
  index: 0,
  address: '127.0.0.1',
  port,
  rtcp: { address: '127.0.0.1', port: port + 1 },
  codec: 'PCMA',
  payloadType: 8,
  formats: [{ payloadType: 8, codec: 'PCMA' }],
  telephoneEvent: 101,
  ptime: 20,
  direction,
  transport: plainTransport,
  protection: { kind: 'none' },
})

async function pair() {
  const digits: string[] = []
  const [a, b] = [await open({ onDigit: (digit) => digits.push(digit) }), await open()]
  a.apply(at(b.port))
  b.apply(at(a.port))
  return { a, b, digits }
}

test('one side plays, the other echoes, on even ports', async () => {
  const { a, b } = await pair()
  a.play(toneSource(440))
  b.play(echoSource())
  await vi.waitFor(() => expect(a.heard().soundSeconds).toBeGreaterThan(0.4), { timeout: 30_000 })
  expect(a.heard().tone?.hertz).toBe(440)
  expect([a.port % 2, b.port % 2]).toEqual([0, 0])
})

test('digits are emitted as they come', async () => {
  const { a, b, digits } = await pair()
  b.press('12#')
  await vi.waitFor(() => expect(digits).toEqual(['1', '2', '#']), { timeout: 30_000 })
  expect(a.heard().digits).toBe('12#')
})

test('the direction is respected when sending and when receiving', async () => {
  const { a, b } = await pair()
  a.play(toneSource(440))
  b.play(toneSource(1000))
  b.apply(at(a.port, 'sendonly'))
  await vi.waitFor(() => expect(b.heard().packets).toBeGreaterThan(5), { timeout: 30_000 })
  expect(a.heard().packets).toBe(0)
  const before = b.heard().packets
  b.apply(at(a.port, 'recvonly'))
  await vi.waitFor(() => expect(a.heard().packets).toBeGreaterThan(5), { timeout: 30_000 })
  expect(b.heard().packets).toBe(before)
})

test('packets of a third source are ignored', async () => {
  const { a, b } = await pair()
  b.play(toneSource(440))
  await vi.waitFor(() => expect(a.heard().packets).toBeGreaterThan(2), { timeout: 30_000 })
  const stranger = createSocket('udp4').bind(0, '127.0.0.1')
  await once(stranger, 'listening')
  for (let sequence = 0; sequence < 20; sequence += 1) {
    stranger.send(rtpPacket({ sequence, ssrc: 99 }), a.port, '127.0.0.1')
    stranger.send(Buffer.from('no rtp'), a.port, '127.0.0.1')
  }
  await vi.waitFor(() => expect(a.heard().packets).toBeGreaterThan(20), { timeout: 30_000 })
  expect(a.heard()).toMatchObject({ lost: 0 })
  expect(a.heard().seconds).toBe(a.heard().soundSeconds)
  stranger.close()
})

test('received audio is recorded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'audio-'))
  try {
    const record = join(folder, 'heard.wav')
    const [a, b] = [await open({ record }), await open()]
    a.apply(at(b.port))
    b.apply(at(a.port))
    b.play(toneSource(1000))
    await vi.waitFor(() => expect(a.heard().soundSeconds).toBeGreaterThan(1.3), { timeout: 30_000 })
    const heard = await a.close()
    const samples = readWav(await readFile(record))
    expect(samples.length / 8000).toBeGreaterThanOrEqual(heard.soundSeconds - 0.3)
    expect(dominantTone(samples.subarray(800))?.hertz).toBe(1000)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a file that cannot be created is refused, and no socket stays open', async () => {
  await expect(open({ record: '/no/such/folder/heard.wav' })).rejects.toThrow('ENOENT')
})
