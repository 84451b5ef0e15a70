/** Finds figures that grow though they should stay level, by linear regression over the samples. */

export type Sample = { seconds: number; figures: Record<string, number> }

export type Growth = { name: string; from: number; to: number; allowed: number; grows: boolean }

/** How much a figure may rise over the measured time: a share of its value or a number of units, whichever is larger. */
export type Slack = { share: number; units: number }

/** Below this coefficient of determination (R²) the line does not explain the samples. */
const minFit = 0.5

export function judgeGrowth(samples: Sample[], slacks: Record<string, Slack>): Growth[] {
  const later = samples.slice(Math.floor(samples.length / 2))
  return Object.entries(slacks).map(([name, { share, units }]) => {
    const points = later.map(({ seconds, figures }) => ({ x: seconds, y: figures[name] ?? 0 }))
    const { from, to, fit } = fitLine(points)
    const allowed = Math.max(units, Math.abs(from) * share)
    return { name, from, to, allowed, grows: to - from > allowed && fit >= minFit }
  })
}

/** Least squares: where the line begins and ends, and how much of the variance it explains. */
function fitLine(points: { x: number; y: number }[]) {
  const mean = (of: 'x' | 'y') => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [middle, level] = [mean('x'), mean('y')]
  let [xx, xy, yy] = [0, 0, 0]
  for (const { x, y } of points) {
    xx += (x - middle) ** 2
    xy += (x - middle) * (y - level)
    yy += (y - level) ** 2
  }
  const slope = xx === 0 ? 0 : xy / xx
  const at = (x: number) => level + slope * (x - middle)
  const fit = xx === 0 || yy === 0 ? 0 : xy ** 2 / (xx * yy)
  return { from: at(points[0]?.x ?? 0), to: at(points.at(-1)?.x ?? 0), fit }
}
