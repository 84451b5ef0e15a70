/** Analyses received audio: packets, losses, loudness, the strongest tone and the digits. */

import { type Codec, createDecoderAt, type Decode, maxSamplesPerPacket } from '../../../media/codecs/codec.ts'
import { readDigit } from '../../../media/rtp/dtmf.ts'
import { type RtpHeader, sequenceStep } from '../../../media/rtp/rtp.ts'
import { dominantTone, rms } from '../../../media/sound/spectrum.ts'

export type AudioReport = {
  packets: number
  lost: number
  /** Received audio, silent or not. */
  seconds: number
  /** Audio louder than silence. */
  soundSeconds: number
  /** In dB relative to full scale; undefined if all was silent. */
  level: number | undefined
  /** In the last second that was not silent; computed when it is read. */
  readonly tone: { hertz: number; share: number } | undefined
  digits: string
}

const samplesPerSecond = 8000
/** A lower RMS is silence, or the noise of an idle line. */
const minAudible = 64
const fullScale = 32_768
const maxDigits = 256

export function createRtpAnalyser() {
  const dtmf = { ssrc: -1, timestamp: 0 }
  let packets = 0
  let lost = 0
  let samplesReceived = 0
  let samplesAudible = 0
  let power = 0
  let digits = ''
  let ssrc = -1
  let sequence = 0
  let filled = 0
  let filling = new Int16Array(samplesPerSecond)
  let kept = new Int16Array(samplesPerSecond)
  let hasKept = false
  let decoder: { codec: Codec; decode: Decode } | undefined
  const decoded = new Int16Array(maxSamplesPerPacket)

  function decode(packet: Buffer, { payloadStart, payloadEnd }: RtpHeader, codec: Codec): Int16Array {
    if (!codec.audio) return new Int16Array()
    if (decoder?.codec !== codec) decoder = { codec, decode: createDecoderAt(codec.audio, samplesPerSecond) }
    return decoded.slice(0, decoder.decode(packet, payloadStart, payloadEnd, decoded))
  }

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

  /** Keeps the last whole second that was not silent. */
  function keepSecond(samples: Int16Array) {
    for (const sample of samples) {
      filling[filled++] = sample
      if (filled < samplesPerSecond) continue
      if (rms(filling) >= minAudible) {
        ;[kept, filling] = [filling, kept]
        hasKept = true
      }
      filled = 0
    }
  }

  function latestTone(): AudioReport['tone'] {
    const samples = hasKept ? kept : filling.subarray(0, filled)
    return rms(samples) >= minAudible ? dominantTone(samples) : undefined
  }

  return {
    /** Returns the decoded samples, at 8 kHz. */
    analyse(packet: Buffer, header: RtpHeader, codec: Codec): Int16Array {
      const samples = decode(packet, header, codec)
      count(header)
      samplesReceived += samples.length
      const level = rms(samples)
      if (level >= minAudible) {
        samplesAudible += samples.length
        power += level * level * samples.length
      }
      keepSecond(samples)
      return samples
    },

    /** The digit, if the packet is the first one of it. */
    analyseDigit(packet: Buffer, header: RtpHeader): string | undefined {
      count(header)
      const digit = readDigit(dtmf, packet, header)
      if (digit !== undefined && digits.length < maxDigits) digits += digit
      return digit
    },

    report(): AudioReport {
      const level = samplesAudible > 0 ? Math.sqrt(power / samplesAudible) : undefined
      return {
        packets,
        lost,
        seconds: samplesReceived / samplesPerSecond,
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
