/** The capacity report: the figures of each part are kept in a file, so that parts can be measured apart. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Capacity, Reading } from './ramp.ts'
import { intro, outro, titles } from './report-texts.ts'

const figuresFile = fileURLToPath(new URL('../../../docs/capacity.json', import.meta.url))
const pageFile = fileURLToPath(new URL('../../../docs/capacity.md', import.meta.url))

type Table = { head: string[]; rows: string[][] }
/** `note`: what the text of the part cannot know. */
export type Figures = { note?: string; capacities?: Capacity[]; tables?: Table[] }
type Part = Figures & { measuredAt: string; machine: string }
type PartName = keyof typeof titles

/** In this order on the page. */
export const partNames = Object.keys(titles) as PartName[]

function readParts(): Partial<Record<PartName, Part>> {
  return existsSync(figuresFile) ? JSON.parse(readFileSync(figuresFile, 'utf8')) : {}
}

export function savePart(name: PartName, figures: Figures, now = new Date()) {
  const part: Part = { measuredAt: now.toISOString().slice(0, 10), machine: describeMachine(), ...figures }
  writeFileSync(figuresFile, `${JSON.stringify({ ...readParts(), [name]: part }, undefined, 2)}\n`)
}

function describeMachine(): string {
  const cpu = cpus()[0]?.model.trim() || process.arch
  const gigabytes = Math.round(totalmem() / 1e9)
  return `${availableParallelism()} cores (${cpu}), ${gigabytes} GB, Linux ${release()}, Node ${process.version}`
}

/** From what was measured so far. */
export function writePage() {
  const parts = readParts()
  const sections = partNames.flatMap((name) => {
    const part = parts[name]
    return part ? [writePart(titles[name], part)] : []
  })
  const missing = partNames.filter((name) => !parts[name])
  const rest = missing.map(
    (name) => `- ${titles[name].title}, on this machine: \`npm run capacity -- ${name}\`.\n`,
  )
  writeFileSync(pageFile, [intro, ...sections, `${outro}${rest.join('')}`].join('\n'))
}

const loadHead = [
  'load',
  'carried',
  'plan with',
  'p50, p99, p99.9 (ms)',
  'cores used',
  'memory (MB)',
  'what gave way first',
]

function writePart({ title, text }: (typeof titles)[PartName], part: Part): string {
  const { measuredAt, machine, note, capacities, tables = [] } = part
  const all = capacities ? [{ head: loadHead, rows: capacities.map(toRow) }, ...tables] : tables
  const texts = [text, ...(note ? [note] : [])].join(' ')
  return [
    `## ${title}\n`,
    `${texts}\n`,
    ...all.map(writeTable),
    `Measured ${measuredAt}: ${machine}.\n`,
  ].join('\n')
}

function writeTable({ head, rows }: Table): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `${lines.join('\n')}\n`
}

/** Half of what was carried is left for what a measurement does not have: peaks, neighbours, slower disks. */
function toRow({ name, unit, carried, reading, brokenAt, gaveWay }: Capacity): string[] {
  const write = (count: number) => `${count.toLocaleString('en')}${unit}`
  return [
    name,
    write(carried),
    write(roundDown(carried / 2)),
    writeLatencies(reading),
    writeEach(reading.cores, 2),
    writeEach(reading.memory, 0),
    brokenAt === undefined ? gaveWay : `at ${write(brokenAt)}: ${gaveWay}`,
  ]
}

/** To two digits. */
function roundDown(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1)
  return Math.floor(count / step) * step
}

function writeLatencies({ latencies }: Reading): string {
  if (!latencies) return ''
  return [latencies.p50, latencies.p99, latencies.p999].map((ms) => ms.toFixed(1)).join(', ')
}

function writeEach(figures: Record<string, number>, digits: number): string {
  return Object.entries(figures)
    .map(([process, figure]) => `${process} ${figure.toFixed(digits)}`)
    .join(', ')
}
