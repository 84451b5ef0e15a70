/** Listens to one side of a call: how much came, how loud, which tone, which keys. */

import { decoding, type Law } from '../../media/codecs/g711.ts'
import { readDigit } from '../../media/rtp/dtmf.ts'
import { type RtpHeader, sequenceStep } from '../../media/rtp/rtp.ts'
import { dominantTone, rms } from '../../media/sound/spectrum.ts'

export type Heard = {
  packets: number
  lost: number
  /** Of sound that came, silent or not. */
  seconds: number
  /** Of sound that was more than silence. */
  soundSeconds: number
  /** In dB below the loudest there can be; undefined when all was silent. */
  level: number | undefined
  /** Of the last second that was no silence; worked out when it is read. */
  readonly tone: { hertz: number; share: number } | undefined
  digits: string
}

const samplesPerSecond = 8000
/** Below this it is silence, and the noise of an empty line. */
const audible = 64
const fullScale = 32_768
const mostDigits = 256

export function createEar() {
  const keys = { ssrc: -1, timestamp: 0 }
  let packets = 0
  let lost = 0
  let samplesHeard = 0
  let samplesAudible = 0
  let power = 0
  let digits = ''
  let ssrc = -1
  let sequence = 0
  let filled = 0
  let filling = new Int16Array(samplesPerSecond)
  let kept = new Int16Array(samplesPerSecond)
  let hasKept = false

  function count(header: RtpHeader) {
    const step = header.ssrc === ssrc ? sequenceStep(sequence, header.sequence) : 1
    packets += 1
    if (step <= 0) {
      lost = Math.max(0, lost - 1)
      return
    }
    lost += step - 1
    ssrc = header.ssrc
    sequence = header.sequence
  }

  /** A whole second is kept if there was something in it. */
  function remember(samples: Int16Array) {
    for (const sample of samples) {
      filling[filled++] = sample
      if (filled < samplesPerSecond) continue
      if (rms(filling) >= audible) {
        ;[kept, filling] = [filling, kept]
        hasKept = true
      }
      filled = 0
    }
  }

  function latestTone(): Heard['tone'] {
    const sound = hasKept ? kept : filling.subarray(0, filled)
    return rms(sound) >= audible ? dominantTone(sound) : undefined
  }

  return {
    /** Returns the sound in linear samples. */
    hear(packet: Buffer, header: RtpHeader, law: Law): Int16Array {
      const table = decoding[law]
      const samples = Int16Array.from(
        packet.subarray(header.payloadStart, header.payloadEnd),
        (octet) => table[octet] ?? 0,
      )
      count(header)
      samplesHeard += samples.length
      const level = rms(samples)
      if (level >= audible) {
        samplesAudible += samples.length
        power += level * level * samples.length
      }
      remember(samples)
      return samples
    },

    /** The key, if the packet is the first to tell it. */
    hearKey(packet: Buffer, header: RtpHeader): string | undefined {
      count(header)
      const digit = readDigit(keys, packet, header)
      if (digit !== undefined && digits.length < mostDigits) digits += digit
      return digit
    },

    report(): Heard {
      const level = samplesAudible > 0 ? Math.sqrt(power / samplesAudible) : undefined
      return {
        packets,
        lost,
        seconds: samplesHeard / samplesPerSecond,
        soundSeconds: samplesAudible / samplesPerSecond,
        level: level === undefined ? undefined : Math.round(200 * Math.log10(level / fullScale)) / 10,
        digits,
        get tone() {
          return latestTone()
        },
      }
    },
  }
}
