/** The table of results, one line each. */
import { median } from './rounds.ts'

/** The target of a figure; absent when the figure is only reported. */
type Target = { atLeast: number } | { atMost: number } | { below: number }

type Unit = 's' | 'ms' | 'MB' | '%' | '/s'

export type Result = {
  name: string
  /** As text; empty where there is none. */
  measured: string
  baseline: string
  /** One of each round: ratios to the baseline or, with a unit, figures that stand alone. */
  values: number[]
  unit?: Unit
  target?: Target
}

export function meets({ values, target }: Result): boolean {
  const value = median(values)
  if (!target) return true
  if ('atLeast' in target) return value >= target.atLeast
  return 'atMost' in target ? value <= target.atMost : value < target.below
}

const titles = ['benchmark', 'measured', 'baseline', 'ratio', 'spread', 'target', '']

export function writeTable(results: Result[]): string {
  const lines = [titles, ...results.map(cells)]
  const widths = titles.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}

function cells(result: Result): string[] {
  const { name, measured, baseline, values, unit, target } = result
  const digits = digitsOf(unit)
  const spread = `${Math.min(...values).toFixed(digits)}..${Math.max(...values).toFixed(digits)}`
  return [
    name,
    measured,
    baseline || '-',
    unit ? '-' : median(values).toFixed(digits),
    values.length > 1 ? spread : '-',
    target ? `${wordOf(target)}${unit ? ` ${unit}` : ''}` : '-',
    target ? (meets(result) ? 'meets' : 'misses') : '',
  ]
}

const digitsOf = (unit: Unit | undefined) => (unit === 'MB' || unit === '/s' ? 0 : 2)

/** A figure that has no baseline. */
export function alone(name: string, values: number[], unit: Unit, target?: Target): Result {
  const measured = `${median(values).toFixed(digitsOf(unit))} ${unit}`
  return { name, measured, baseline: '', values, unit, ...(target && { target }) }
}

function wordOf(target: Target): string {
  if ('atLeast' in target) return `>= ${target.atLeast}`
  return 'atMost' in target ? `<= ${target.atMost}` : `< ${target.below}`
}
