import { expect, test } from 'vitest'
import { dtmfDigits } from '../rtp/dtmf.ts'
import { decode, encode } from '../testing/sound.ts'
import { createKeyDetector, keyTone } from './key-tones.ts'
import { renderSamples } from './tone.ts'

/** The keys found in samples that arrive in packets of 20 ms, after a codec has had them. */
function keysIn(...parts: Int16Array[]): string {
  const detector = createKeyDetector()
  let keys = ''
  for (const part of parts) {
    const samples = decode(encode(part, 'PCMU'), 'PCMU')
    for (let at = 0; at < samples.length; at += 160) keys += detector.detect(samples.subarray(at), 160)
  }
  return keys
}

const keySound = (key: string) => renderSamples(keyTone(key))

/** A pseudo-random voice: harmonics of a gliding pitch with formants, which never is a pair of pure tones for long. */
function voice(seconds: number): Int16Array {
  let phase = 0
  return Int16Array.from({ length: 8000 * seconds }, (_, at) => {
    const time = at / 8000
    phase += (2 * Math.PI * (120 + 60 * Math.sin(3 * time))) / 8000
    let sum = 0
    for (let harmonic = 1; harmonic < 20; harmonic += 1) {
      const formant = 1 / (1 + ((harmonic * 150 - 700 - 500 * Math.sin(5 * time)) / 300) ** 2)
      sum += formant * Math.sin(harmonic * phase)
    }
    return Math.round(4000 * sum)
  })
}

test('every key is found once, the same key twice if it is pressed twice', () => {
  expect(keysIn(...[...dtmfDigits].map(keySound))).toBe(dtmfDigits)
  expect(keysIn(keySound('5'), keySound('5'))).toBe('55')
})

test('a key of 40 ms is found, at any moment of a packet, loud or at a tenth of that', () => {
  const key = keySound('9').subarray(0, 320)
  const silence = new Int16Array(480)
  for (let shift = 0; shift < 160; shift += 20) {
    const sound = Int16Array.from([...new Int16Array(shift), ...key, ...silence])
    expect(keysIn(sound)).toBe('9')
    expect(keysIn(sound.map((sample) => sample / 10))).toBe('9')
  }
})

test('no key is found in voice, in single tones, in ringing tones or in silence', () => {
  expect(keysIn(voice(20))).toBe('')
  for (const hertz of [425, 697, 941, 1000, 1209, 1633])
    expect(keysIn(renderSamples({ hertz: [hertz], cadence: [] }))).toBe('')
  expect(keysIn(renderSamples({ hertz: [440, 480], cadence: [] }), new Int16Array(8000))).toBe('')
})
