/** Which tones are in a sound. */
const samplesPerSecond = 8000

/** Goertzel: which part of the sound's power lies at one frequency, from 0 to 1. */
export function share(samples: Int16Array, hertz: number): number {
  const turn = 2 * Math.cos((2 * Math.PI * hertz) / samplesPerSecond)
  let [last, before, power] = [0, 0, 0]
  for (const sample of samples) {
    const now = sample + turn * last - before
    before = last
    last = now
    power += sample * sample
  }
  if (power === 0) return 0
  return (2 * (last * last + before * before - turn * last * before)) / (samples.length * power)
}

const lowest = 100
const highest = 3900
/** A tenth of a second sees every tone within 5 Hz of a guess; a whole one tells them apart. */
const coarseSamples = 800
const coarseStep = 5

/** The strongest tone and its part of the power; undefined for silence and for what is no tone. */
export function dominantTone(samples: Int16Array): { hertz: number; share: number } | undefined {
  const guess = strongest(loudest(samples), lowest, highest, coarseStep)
  const found = strongest(samples, guess.hertz - coarseStep, guess.hertz + coarseStep, 1)
  const best = found.share >= guess.share / 2 ? found : guess
  return best.share >= 0.25 ? best : undefined
}

function strongest(samples: Int16Array, from: number, to: number, step: number) {
  let best = { hertz: from, share: 0 }
  for (let hertz = from; hertz <= to; hertz += step) {
    const part = share(samples, hertz)
    if (part > best.share) best = { hertz, share: part }
  }
  return best
}

function loudest(samples: Int16Array): Int16Array {
  let best = samples.subarray(0, coarseSamples)
  for (let at = coarseSamples; at + coarseSamples <= samples.length; at += coarseSamples) {
    const next = samples.subarray(at, at + coarseSamples)
    if (rms(next) > rms(best)) best = next
  }
  return best
}

/** Root of the mean square: how loud it is. */
export function rms(samples: Int16Array): number {
  let power = 0
  for (const sample of samples) power += sample * sample
  return samples.length === 0 ? 0 : Math.sqrt(power / samples.length)
}
