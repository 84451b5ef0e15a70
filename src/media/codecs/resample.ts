/**
 * Converts `count` samples to another sample rate and returns how many they become: averages when the rate gets
 * lower, interpolates when it gets higher. Good enough for telephony.
 */
export function resample(
  samples: Int16Array,
  count: number,
  fromRate: number,
  out: Int16Array,
  toRate: number,
): number {
  const step = fromRate / toRate
  const length = Math.min(out.length, Math.floor(count / step))
  for (let index = 0; index < length; index += 1) {
    const at = index * step
    out[index] = step < 1 ? interpolate(samples, count, at) : average(samples, at, step)
  }
  return length
}

function average(samples: Int16Array, from: number, step: number): number {
  let sum = 0
  const first = Math.floor(from)
  const last = Math.max(first + 1, Math.floor(from + step))
  for (let at = first; at < last; at += 1) sum += samples[at] ?? 0
  return Math.round(sum / (last - first))
}

function interpolate(samples: Int16Array, count: number, at: number): number {
  const index = Math.floor(at)
  const before = samples[index] ?? 0
  const after = index + 1 < count ? (samples[index + 1] ?? before) : before
  return Math.round(before + (after - before) * (at - index))
}
