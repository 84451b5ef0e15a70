import { expect, test } from 'vitest'
import { createRtpHeader, readRtpHeader } from '../../media/rtp/rtp.ts'
import { renderSamples } from '../../media/sound/tone.ts'
import {
  type Play,
  playEcho,
  playNothing,
  playSamples,
  playSilence,
  playTone,
  samplesPerPacket,
} from './audio-source.ts'
import { createEar } from './rtp-analyser.ts'
import { createMouth } from './rtp-sender.ts'

const spoken = { law: 'PCMA', payloadType: 8, telephoneEvent: 101 } as const

/** A mouth that speaks straight into an ear. */
function join() {
  const ear = createEar()
  const packets: Buffer[] = []
  const mouth = createMouth((packet) => packets.push(packet))
  let index = 0
  return {
    ear,
    mouth,
    packets,
    headers: () => packets.map((packet) => headerOf(packet)),
    say(count: number, lose = (_at: number): boolean => false) {
      const from = packets.length
      for (let left = count; left > 0; left -= 1) mouth.tick(index++, spoken)
      for (const [at, packet] of packets.slice(from).entries()) {
        const header = headerOf(packet)
        if (lose(at)) continue
        if (header.payloadType === 8) ear.hear(packet, header, 'PCMA')
        else ear.hearKey(packet, header)
      }
    },
  }
}

function headerOf(packet: Buffer) {
  const header = createRtpHeader()
  expect(readRtpHeader(packet, header)).toBe(true)
  return header
}

test.each([300, 440, 1000, 2013, 3400])('a tone of %d Hz is heard as such', (hertz) => {
  const { mouth, ear, say } = join()
  mouth.play(playTone(hertz))
  say(75)
  const heard = ear.report()
  expect(heard).toMatchObject({ packets: 75, lost: 0, seconds: 1.5, soundSeconds: 1.5 })
  expect(heard.tone?.hertz).toBe(hertz)
  expect(heard.tone?.share).toBeGreaterThan(0.9)
  expect(heard.level).toBeCloseTo(-16.4, 0)
})

test('a tone is known from less than a second, and remembered through silence', () => {
  const { mouth, ear, say } = join()
  mouth.play(playTone(440))
  say(20)
  expect(ear.report().tone?.hertz).toBe(440)
  say(80)
  mouth.play(playSilence())
  say(200)
  expect(ear.report()).toMatchObject({ seconds: 6, soundSeconds: 2, tone: { hertz: 440 } })
})

test('silence has neither level nor tone, and nothing sends nothing', () => {
  const { mouth, ear, say, packets } = join()
  mouth.play(playSilence())
  say(10)
  expect(ear.report()).toMatchObject({ seconds: 0.2, soundSeconds: 0, level: undefined, tone: undefined })
  mouth.play(playNothing())
  say(10)
  expect(packets).toHaveLength(10)
})

test('noise is no tone', () => {
  let seed = 1
  const noise = Int16Array.from({ length: 8000 }, () => {
    seed = (seed * 16_807) % 2_147_483_647
    return (seed % 20_000) - 10_000
  })
  const { mouth, ear, say } = join()
  mouth.play(playSamples(noise))
  say(60)
  expect(ear.report()).toMatchObject({ soundSeconds: 1.2, tone: undefined })
})

test('packets are numbered on, 20 ms apart, and marked where sound begins anew', () => {
  const { mouth, say, headers } = join()
  mouth.play(playTone(440))
  say(2)
  mouth.play(playNothing())
  say(3)
  mouth.play(playTone(440))
  say(2)
  const [first, second, third, fourth] = headers()
  const base = first?.timestamp ?? 0
  expect([second, third, fourth].map((header) => ((header?.timestamp ?? 0) - base) / 160)).toEqual([1, 5, 6])
  expect(headers().map(({ marker }) => marker)).toEqual([true, false, true, false])
  expect((third?.sequence ?? 0) - (second?.sequence ?? 0)).toBe(1)
})

test('what is lost is counted, and what comes late is not lost', () => {
  const { mouth, ear, say, packets } = join()
  mouth.play(playTone(440))
  say(50, (at) => at % 10 === 5)
  expect(ear.report()).toMatchObject({ packets: 45, lost: 5 })
  const late = packets[45] as Buffer
  ear.hear(late, headerOf(late), 'PCMA')
  expect(ear.report()).toMatchObject({ packets: 46, lost: 4 })
})

test('keys are pressed one after the other, also two of a kind, and heard once each', () => {
  const { mouth, ear, say, headers } = join()
  mouth.play(playTone(440))
  mouth.press('11#x')
  say(60)
  expect(ear.report().digits).toBe('11#')
  const events = headers().filter(({ payloadType }) => payloadType === 101)
  expect(new Set(events.map(({ timestamp }) => timestamp)).size).toBe(3)
  expect(events).toHaveLength(24)
  expect(events.filter(({ marker }) => marker)).toHaveLength(3)
})

test('keys survive the loss of their first packets', () => {
  const { mouth, ear, say } = join()
  mouth.press('5')
  say(20, (at) => at < 6)
  expect(ear.report().digits).toBe('5')
})

test('an echo gives back what it hears and never falls far behind', () => {
  const echo: Play = playEcho()
  const packet = (value: number) => new Uint8Array(samplesPerPacket).fill(value)
  expect(echo.next('PCMA')).toBeUndefined()
  for (let value = 1; value <= 9; value += 1) echo.hear?.(packet(value))
  expect(Array.from({ length: 6 }, () => echo.next('PCMA')?.[0])).toEqual([5, 6, 7, 8, 9, undefined])
})

test('a file is played over and over', () => {
  const play = playSamples(renderSamples({ hertz: [1000], cadence: [] }).subarray(0, 400))
  const packets = Array.from({ length: 6 }, () => play.next('PCMU'))
  expect(packets.every((packet) => packet?.length === samplesPerPacket)).toBe(true)
  expect(packets[3]).toEqual(packets[0])
})
