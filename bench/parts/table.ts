/** The table of results, one line each. */
import { median } from './rounds.ts'

/** The target of a figure; absent when the figure is only reported. */
type Target = { atLeast: number } | { atMost: number } | { below: number }

/** Empty for a plain count. */
export type Unit = 's' | 'ms' | 'B' | 'MB' | 'kB' | '%' | '/s' | '' | 'clicks'

export type Result = {
  name: string
  /** As text; empty where there is none. */
  measured: string
  baseline: string
  /** One of each round: ratios to the baseline or, with a unit, figures that stand alone. */
  values: number[]
  unit?: Unit
  target?: Target
  /** For comparisons with a saved run, where no target says it. */
  better?: 'more' | 'less'
}

export function meets({ values, target }: Result): boolean {
  const value = median(values)
  if (!target) return true
  if ('atLeast' in target) return value >= target.atLeast
  return 'atMost' in target ? value <= target.atMost : value < target.below
}

const titles = ['benchmark', 'measured', 'baseline', 'ratio', 'spread', 'target', '']

export function writeTable(results: Result[]): string {
  return formatTable([titles, ...results.map(cells)])
}

/** Columns are as wide as their widest cell. */
export function formatTable(lines: string[][]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
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
    unit !== undefined ? '-' : median(values).toFixed(digits),
    values.length > 1 ? spread : '-',
    target ? `${wordOf(target)}${unit ? ` ${unit}` : ''}` : '-',
    target ? (meets(result) ? 'meets' : 'misses') : '',
  ]
}

const digitsOf = (unit: Unit | undefined) => (['B', 'MB', '/s', 'clicks'].includes(unit ?? '') ? 0 : 2)

/** A figure that has no baseline. */
export function alone(name: string, values: number[], unit: Unit, target?: Target): Result {
  const measured = `${median(values).toFixed(digitsOf(unit))} ${unit}`.trimEnd()
  return { name, measured, baseline: '', values, unit, ...(target && { target }) }
}

function wordOf(target: Target): string {
  if ('atLeast' in target) return `>= ${target.atLeast}`
  return 'atMost' in target ? `<= ${target.atMost}` : `< ${target.below}`
}
