/**
 * Alternating rounds: baseline, ours, baseline, ours. Other load on the machine changes by the minute and so affects
 * both sides alike; the result is the median of the ratios of neighbouring rounds.
 */
export async function inTurn<T>(count: number, baseline: () => Promise<T>, ours: () => Promise<T>) {
  const rounds: { baseline: T; ours: T }[] = []
  for (let round = 0; round < count; round++) {
    rounds.push({ baseline: await baseline(), ours: await ours() })
  }
  return rounds
}

export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1)
  return (low + high) / 2
}
