import { expect, test } from 'vitest'
import { pcma } from '../../../media/codecs/pcma.ts'
import { pcmu } from '../../../media/codecs/pcmu.ts'
import { createRtpHeader, readRtpHeader } from '../../../media/rtp/rtp.ts'
import { renderSamples } from '../../../media/sound/tone.ts'
import {
  type AudioSource,
  echoSource,
  noAudio,
  samplesSource,
  silenceSource,
  toneSource,
} from './audio-source.ts'
import { createRtpAnalyser } from './rtp-analyser.ts'
import { createRtpSender } from './rtp-sender.ts'

const sendAs = { codec: pcma, payloadType: 8, telephoneEvent: 101 }

/** A sender whose packets go straight to an analyser. */
function join() {
  const analyser = createRtpAnalyser()
  const packets: Buffer[] = []
  const sender = createRtpSender((packet) => packets.push(packet))
  let index = 0
  return {
    analyser,
    sender,
    packets,
    headers: () => packets.map((packet) => headerOf(packet)),
    send(count: number, lose = (_at: number): boolean => false) {
      const from = packets.length
      for (let left = count; left > 0; left -= 1) sender.tick(index++, sendAs)
      for (const [at, packet] of packets.slice(from).entries()) {
        const header = headerOf(packet)
        if (lose(at)) continue
        if (header.payloadType === 8) analyser.analyse(packet, header, pcma)
        else analyser.analyseDigit(packet, header)
      }
    },
  }
}

function headerOf(packet: Buffer) {
  const header = createRtpHeader()
  expect(readRtpHeader(packet, header)).toBe(true)
  return header
}

test.each([300, 440, 1000, 2013, 3400])('a tone of %d Hz is recognised', (hertz) => {
  const { sender, analyser, send } = join()
  sender.play(toneSource(hertz))
  send(75)
  const report = analyser.report()
  expect(report).toMatchObject({ packets: 75, lost: 0, seconds: 1.5, soundSeconds: 1.5 })
  expect(report.tone?.hertz).toBe(hertz)
  expect(report.tone?.share).toBeGreaterThan(0.9)
  expect(report.level).toBeCloseTo(-16.4, 0)
})

test('a tone is recognised within a second, and kept through silence', () => {
  const { sender, analyser, send } = join()
  sender.play(toneSource(440))
  send(20)
  expect(analyser.report().tone?.hertz).toBe(440)
  send(80)
  sender.play(silenceSource())
  send(200)
  expect(analyser.report()).toMatchObject({ seconds: 6, soundSeconds: 2, tone: { hertz: 440 } })
})

test('silence has neither level nor tone, and noAudio sends no packets', () => {
  const { sender, analyser, send, packets } = join()
  sender.play(silenceSource())
  send(10)
  expect(analyser.report()).toMatchObject({
    seconds: 0.2,
    soundSeconds: 0,
    level: undefined,
    tone: undefined,
  })
  sender.play(noAudio())
  send(10)
  expect(packets).toHaveLength(10)
})

test('noise has no tone', () => {
  let seed = 1
  const noise = Int16Array.from({ length: 8000 }, () => {
    seed = (seed * 16_807) % 2_147_483_647
    return (seed % 20_000) - 10_000
  })
  const { sender, analyser, send } = join()
  sender.play(samplesSource(noise))
  send(60)
  expect(analyser.report()).toMatchObject({ soundSeconds: 1.2, tone: undefined })
})

test('packets are numbered, 20 ms apart, with the marker where audio begins', () => {
  const { sender, send, headers } = join()
  sender.play(toneSource(440))
  send(2)
  sender.play(noAudio())
  send(3)
  sender.play(toneSource(440))
  send(2)
  const [first, second, third, fourth] = headers()
  const base = first?.timestamp ?? 0
  expect([second, third, fourth].map((header) => ((header?.timestamp ?? 0) - base) / 160)).toEqual([1, 5, 6])
  expect(headers().map(({ marker }) => marker)).toEqual([true, false, true, false])
  expect((third?.sequence ?? 0) - (second?.sequence ?? 0)).toBe(1)
})

test('lost packets are counted, and a late packet is not lost', () => {
  const { sender, analyser, send, packets } = join()
  sender.play(toneSource(440))
  send(50, (at) => at % 10 === 5)
  expect(analyser.report()).toMatchObject({ packets: 45, lost: 5 })
  const late = packets[45] as Buffer
  analyser.analyse(late, headerOf(late), pcma)
  expect(analyser.report()).toMatchObject({ packets: 46, lost: 4 })
})

test('digits are sent one after the other, equal ones too, and recognised once each', () => {
  const { sender, analyser, send, headers } = join()
  sender.play(toneSource(440))
  sender.press('11#x')
  send(60)
  expect(analyser.report().digits).toBe('11#')
  const events = headers().filter(({ payloadType }) => payloadType === 101)
  expect(new Set(events.map(({ timestamp }) => timestamp)).size).toBe(3)
  expect(events).toHaveLength(24)
  expect(events.filter(({ marker }) => marker)).toHaveLength(3)
})

test('a digit is recognised although its first packets are lost', () => {
  const { sender, analyser, send } = join()
  sender.press('5')
  send(20, (at) => at < 6)
  expect(analyser.report().digits).toBe('5')
})

test('an echo returns what it receives, with a bounded delay', () => {
  const echo: AudioSource = echoSource()
  const packet = (value: number) => new Uint8Array(160).fill(value)
  expect(echo.next(pcma)).toBeUndefined()
  for (let value = 1; value <= 9; value += 1) echo.receive?.(packet(value))
  expect(Array.from({ length: 6 }, () => echo.next(pcma)?.[0])).toEqual([5, 6, 7, 8, 9, undefined])
})

test('samples are played repeatedly', () => {
  const source = samplesSource(renderSamples({ hertz: [1000], cadence: [] }).subarray(0, 400))
  const packets = Array.from({ length: 6 }, () => source.next(pcmu))
  expect(packets.every((packet) => packet?.length === 160)).toBe(true)
  expect(packets[3]).toEqual(packets[0])
})
