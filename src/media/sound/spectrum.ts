/** Finds tones in audio of 8 kHz. */
const samplesPerSecond = 8000

/** The share of the power at one frequency, from 0 to 1 (Goertzel algorithm). */
export function powerShare(samples: Int16Array, hertz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hertz) / samplesPerSecond)
  let [last, before, power] = [0, 0, 0]
  for (const sample of samples) {
    const now = sample + coefficient * last - before
    before = last
    last = now
    power += sample * sample
  }
  if (power === 0) return 0
  return (2 * (last * last + before * before - coefficient * last * before)) / (samples.length * power)
}

const minHertz = 100
const maxHertz = 3900
/** A tenth of a second finds a tone to within 5 Hz; the whole audio then finds its exact frequency. */
const coarseSamples = 800
const coarseStep = 5

/** The strongest tone and its share of the power; undefined for silence or without a clear tone. */
export function dominantTone(samples: Int16Array): { hertz: number; share: number } | undefined {
  const guess = strongest(loudest(samples), minHertz, maxHertz, coarseStep)
  const found = strongest(samples, guess.hertz - coarseStep, guess.hertz + coarseStep, 1)
  const best = found.share >= guess.share / 2 ? found : guess
  return best.share >= 0.25 ? best : undefined
}

function strongest(samples: Int16Array, from: number, to: number, step: number) {
  let best = { hertz: from, share: 0 }
  for (let hertz = from; hertz <= to; hertz += step) {
    const part = powerShare(samples, hertz)
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

/** Root mean square: the loudness. */
export function rms(samples: Int16Array): number {
  let power = 0
  for (const sample of samples) power += sample * sample
  return samples.length === 0 ? 0 : Math.sqrt(power / samples.length)
}
