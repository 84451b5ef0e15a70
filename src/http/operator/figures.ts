/** Metrics that a module counts itself, published under its name; counters end in `_total`, the others are gauges. */
export type ReadFigures = () => Record<string, number>

export function writeFigures(module: string, figures: Record<string, number>): string {
  return Object.entries(figures)
    .map(([figure, value]) => {
      const name = `ramal_${module}_${figure}`
      const type = figure.endsWith('_total') ? 'counter' : 'gauge'
      return `# HELP ${name} ${figure.replaceAll('_', ' ')}\n# TYPE ${name} ${type}\n${name} ${value}\n`
    })
    .join('')
}
