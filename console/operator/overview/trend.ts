/** D680: how figures changed while the page was open; the service keeps no history of them. */
const samples: { at: number; figures: number[] }[] = []

const keptMs = 15 * 60_000
/** A change within less than a minute is not shown. */
const leastMs = 60_000

type Trend = { minutes: number; changes: number[] }

/** To be given the figures as often as they are read; undefined in the first minute. */
export function follow(figures: number[], now: number): Trend | undefined {
  const [last] = samples.slice(-1)
  if (last === undefined || last.at < now) samples.push({ at: now, figures })
  while (samples[0] !== undefined && samples[0].at < now - keptMs) samples.shift()
  const [oldest] = samples
  if (oldest === undefined || now - oldest.at < leastMs) return undefined
  return {
    minutes: Math.round((now - oldest.at) / 60_000),
    changes: figures.map((figure, index) => figure - (oldest.figures[index] ?? figure)),
  }
}
