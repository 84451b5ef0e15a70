/** Raises a load until it is no longer carried, and reports the highest that was. */
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSecondsWithChildren, familyOf, memoryOf } from '../process-figures.ts'

export type Latencies = { p50: number; p99: number; p999: number }

export type Reading = {
  latencies?: Latencies
  /** Cores in use, by process. */
  cores: Record<string, number>
  /** In MB, by process. */
  memory: Record<string, number>
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

const ourName = 'the service'
const loadName = 'the load'
/** Bisection steps between the highest load carried and the lowest that was not. */
const halvings = 2
/** Until a load is carried. */
const maxHalvings = 6
/** What is left of a load that was too high is worked off. */
const restMs = 1_500

export async function raise({ name, unit, first, highest, run }: Ramp): Promise<Capacity> {
  let carried: { level: number; reading: Reading } | undefined
  let broken: { level: number; reading: Reading } | undefined

  /** A load that is not carried is tried once more: a single pause of the disk must not decide. */
  async function attempt(level: number) {
    let reading = await run(level)
    if (reading.broken !== undefined) {
      await sleep(restMs)
      reading = await run(level)
    }
    if (reading.broken === undefined) carried = { level, reading }
    else {
      broken = { level, reading }
      await sleep(restMs)
    }
  }

  for (let level = first; level <= highest && !broken; level *= 2) await attempt(level)
  for (let step = 0; broken && step < (carried ? halvings : maxHalvings); step++) {
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

/** Of the cores of the machine, those that were in use, and the process that used most. */
function busiest({ cores }: Reading): string {
  const used = Object.entries(cores).toSorted(([, one], [, other]) => other - one)
  const sum = used.reduce((total, [, share]) => total + share, 0)
  const [name, most] = used[0] ?? ['', 0]
  return `${sum.toFixed(1)} of ${availableParallelism()} cores in use, ${most.toFixed(1)} by ${name}`
}

type Processes = { service: number; load?: number | undefined }

/** Runs the work and measures what the processes used meanwhile. The other children of the service are its database. */
export async function measureCores<T>({ service, load }: Processes, work: () => Promise<T>) {
  const before = readCpu({ service, load })
  const began = performance.now()
  const result = await work()
  const seconds = (performance.now() - began) / 1000
  const after = readCpu({ service, load })
  const cores = Object.fromEntries(
    Object.entries(after).map(([name, cpu]) => [name, (cpu - (before[name] ?? 0)) / seconds]),
  )
  return { result, cores, memory: readMemory({ service, load }) }
}

function readCpu({ service, load }: Processes): Record<string, number> {
  const database = databaseOf({ service, load })
  return {
    [ourName]: cpuSecondsWithChildren(service),
    ...(database.length > 0 && { PostgreSQL: sumOf(database, cpuSecondsWithChildren) }),
    ...(load !== undefined && { [loadName]: cpuSecondsWithChildren(load) }),
  }
}

/** Shared pages of PostgreSQL's processes count once. */
function readMemory({ service, load }: Processes): Record<string, number> {
  const database = databaseOf({ service, load })
  return {
    [ourName]: memoryOf(service).rss,
    ...(database.length > 0 && { PostgreSQL: sumOf(database, (pid) => memoryOf(pid).pss) }),
  }
}

function databaseOf({ service, load }: Processes): number[] {
  return familyOf(service).filter((pid) => pid !== service && pid !== load)
}

/** A backend may end while it is read. */
function sumOf(pids: number[], read: (pid: number) => number): number {
  return pids.reduce((sum, pid) => {
    try {
      return sum + read(pid)
    } catch {
      return sum
    }
  }, 0)
}

/** `undefined` if the latencies are good enough. */
export function tooSlow({ p99 }: Latencies, maxMs: number): string | undefined {
  return p99 > maxMs ? `p99 of ${p99.toFixed(0)} ms, above ${maxMs}` : undefined
}
