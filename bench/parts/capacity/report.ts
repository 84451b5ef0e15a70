/** The capacity report: figures of each part are kept in a file of their own, so that parts can be measured apart. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Capacity } from './ramp.ts'

const figuresFile = fileURLToPath(new URL('../../../docs/capacity.json', import.meta.url))
const pageFile = fileURLToPath(new URL('../../../docs/capacity.md', import.meta.url))

type Machine = { cores: number; cpu: string; memoryGb: number; kernel: string; node: string }
type Part = { measuredAt: string; machine: Machine; capacities: Capacity[] }
type Figures = Record<string, Part>

/** In this order on the page. */
const titles: Record<string, string> = {
  http: 'API and calls stored',
  setups: 'Calls set up',
  recorded: 'Calls with sound',
  registrations: 'Phones',
  deliveries: 'Webhooks',
  lists: 'Lists of calls',
}

function readFigures(): Figures {
  return existsSync(figuresFile) ? (JSON.parse(readFileSync(figuresFile, 'utf8')) as Figures) : {}
}

export function savePart(name: string, capacities: Capacity[], now = new Date()) {
  const part: Part = { measuredAt: now.toISOString().slice(0, 10), machine: describeMachine(), capacities }
  const figures: Figures = { ...readFigures(), [name]: part }
  writeFileSync(figuresFile, `${JSON.stringify(figures, undefined, 2)}\n`)
  writeFileSync(pageFile, writePage(figures))
}

function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model.trim() || process.arch,
    memoryGb: Math.round(totalmem() / 1e9),
    kernel: release(),
    node: process.version,
  }
}

function writePage(figures: Figures): string {
  const parts = Object.keys(titles).flatMap((name) => {
    const part = figures[name]
    return part ? [writePart(titles[name] ?? name, part)] : []
  })
  return `${intro}\n${parts.join('\n')}\n${outro}`
}

const intro = `# Capacity

What one machine carries. \`npm run capacity\` raises each load until it is no longer carried and writes this page;
\`npm run capacity -- <part>\` measures one part. The load generator, the service and its PostgreSQL share the machine, so
that a service alone on it carries more. A load counts as carried while no request or call fails, and: API requests and
calls are answered within 50 ms, calls are set up within 200 ms, events are received within 500 ms (99 of 100 each), and
at most 0.5 % of the packets of sound are more than 20 ms late.
`

const outro = `## Not measured

More than one machine (\`npm run bench -- fleet\` measures three processes on one PostgreSQL); SRTP with keys in the SDP,
which costs what a browser's side costs without its handshake; networks with loss; disks slower than this machine's;
recordings in a bucket; calls that change codecs.
`

const head = `| load | carried | p50, p99, p99.9 (ms) | cores used | memory (MB) | what gave way first |
|---|---|---|---|---|---|`

function writePart(title: string, { measuredAt, machine, capacities }: Part): string {
  const { cores, cpu, memoryGb, kernel, node } = machine
  return `## ${title}

${measuredAt}, ${cores} cores (${cpu}), ${memoryGb} GB, Linux ${kernel}, Node ${node}.

${head}
${capacities.map(writeRow).join('\n')}
`
}

function writeRow({ name, unit, carried, reading, brokenAt, gaveWay }: Capacity): string {
  const { latencies, cores, rss } = reading
  const used = Object.entries(cores).map(([process, share]) => `${process} ${share.toFixed(2)}`)
  const cells = [
    name,
    `${carried.toLocaleString('en')}${unit}`,
    latencies ? [latencies.p50, latencies.p99, latencies.p999].map((ms) => ms.toFixed(1)).join(', ') : '',
    used.join(', '),
    rss > 0 ? rss.toFixed(0) : '',
    brokenAt === undefined ? gaveWay : `at ${brokenAt.toLocaleString('en')}${unit}: ${gaveWay}`,
  ]
  return `| ${cells.join(' | ')} |`
}
