/** Figures that a room counts by itself, shown under its name: those that only grow end in `_total`. */
export type ReadFigures = () => Record<string, number>

export function writeFigures(room: string, figures: Record<string, number>): string {
  return Object.entries(figures)
    .map(([figure, value]) => {
      const name = `ramal_${room}_${figure}`
      const type = figure.endsWith('_total') ? 'counter' : 'gauge'
      return `# HELP ${name} ${figure.replaceAll('_', ' ')}\n# TYPE ${name} ${type}\n${name} ${value}\n`
    })
    .join('')
}
