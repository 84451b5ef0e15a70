/** Raises a load until it is no longer carried, and reports the highest that was. */
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSecondsWithChildren, familyOf, memoryOf } from '../process-figures.ts'

export type Latencies = { p50: number; p99: number; p999: number }

export type Reading = {
  latencies?: Latencies
  /** Cores in use, by process. */
  cores: Record<string, number>
  /** Of the measured service, without its database, in MB. */
  rss: number
  /** Why the load was not carried; undefined if it was. */
  broken?: string | undefined
}

export type Ramp = {
  name: string
  unit: string
  first: number
  highest: number
  run: (level: number) => Promise<Reading>
}

export type Capacity = {
  name: string
  unit: string
  carried: number
  /** At the highest load that was carried. */
  reading: Reading
  /** The lowest load that was not; undefined if the highest tried was carried. */
  brokenAt?: number
  gaveWay: string
}

/** Bisection steps between the highest load carried and the lowest that was not. */
const halvings = 3
/** What is left of a load that was too high is worked off. */
const restMs = 1_500

export async function raise({ name, unit, first, highest, run }: Ramp): Promise<Capacity> {
  let carried: { level: number; reading: Reading } | undefined
  let broken: { level: number; reading: Reading } | undefined

  async function attempt(level: number) {
    const reading = await run(level)
    if (reading.broken === undefined) carried = { level, reading }
    else {
      broken = { level, reading }
      await sleep(restMs)
    }
  }

  for (let level = first; level <= highest && !broken; level *= 2) await attempt(level)
  for (let step = 0; step < halvings && broken; step++) {
    const below: number = carried?.level ?? broken.level / 4
    await attempt(Math.max(1, Math.round(Math.sqrt(below * broken.level))))
  }
  if (!carried) throw new Error(`${name}: not even the lowest load was carried: ${broken?.reading.broken}`)
  return {
    name,
    unit,
    carried: carried.level,
    reading: carried.reading,
    ...(broken && { brokenAt: broken.level }),
    gaveWay: broken ? `${broken.reading.broken}; ${busiest(broken.reading)}` : 'nothing yet',
  }
}

function busiest({ cores }: Reading): string {
  const [name, used] = Object.entries(cores).toSorted(([, one], [, other]) => other - one)[0] ?? ['', 0]
  return `${name} used ${used.toFixed(2)} cores`
}

type Processes = { service: number; load?: number }

/** Runs the work and measures the cores that the processes used meanwhile. `service`: its database is read apart. */
export async function measureCores<T>({ service, load }: Processes, work: () => Promise<T>) {
  const read = () => {
    const database = familyOf(service).filter((pid) => pid !== service)
    return {
      'the service': cpuSecondsWithChildren(service),
      ...(database.length > 0 && {
        PostgreSQL: database.reduce((sum, pid) => sum + cpuSecondsWithChildren(pid), 0),
      }),
      ...(load !== undefined && { 'the load generator': cpuSecondsWithChildren(load) }),
    } as Record<string, number>
  }
  const before = read()
  const began = performance.now()
  const result = await work()
  const seconds = (performance.now() - began) / 1000
  const after = read()
  const cores = Object.fromEntries(
    Object.entries(after).map(([name, cpu]) => [name, (cpu - (before[name] ?? 0)) / seconds]),
  )
  return { result, cores, rss: memoryOf(service).rss }
}

/** `undefined` if the latencies are good enough. */
export function tooSlow({ p99 }: Latencies, maxMs: number): string | undefined {
  return p99 > maxMs ? `p99 of ${p99.toFixed(0)} ms, above ${maxMs}` : undefined
}
