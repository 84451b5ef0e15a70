/** Cores and memory in use while a load lasts, by process. */
import {
  cpuSecondsOfOthers,
  cpuSecondsWithChildren,
  familyOf,
  memoryOf,
  stolenSeconds,
} from '../process-figures.ts'

const ourName = 'the service'
const loadName = 'the load'
const othersName = 'other programs'
/** Steal time of a virtual machine: the time that its host gave to others. */
const stolenName = 'other machines'
/** Cores; less is not worth mentioning. */
const minOfOthers = 0.05

type Processes = { service: number; load?: number | undefined }

/** Runs the work and measures what the processes used meanwhile. The other children of the service are its database. */
export async function measureCores<T>({ service, load }: Processes, work: () => Promise<T>) {
  const before = readCpu({ service, load })
  const othersBefore = readOthers()
  const began = performance.now()
  const result = await work()
  const seconds = (performance.now() - began) / 1000
  const after = readCpu({ service, load })
  const others = coresOfOthers(othersBefore, seconds)
  const cores = Object.fromEntries(
    Object.entries(after).map(([name, cpu]) => [name, (cpu - (before[name] ?? 0)) / seconds]),
  )
  return {
    result,
    cores: { ...cores, ...others },
    disturbance: Object.values(others).reduce((sum, share) => sum + share, 0),
    memory: readMemory({ service, load }),
  }
}

const readOthers = () => ({ programs: cpuSecondsOfOthers(), stolen: stolenSeconds() })

function coresOfOthers(before: ReturnType<typeof readOthers>, seconds: number): Record<string, number> {
  const { programs, stolen } = readOthers()
  let used = 0
  for (const [pid, cpu] of programs) used += Math.max(0, cpu - (before.programs.get(pid) ?? 0))
  const shares = { [othersName]: used / seconds, [stolenName]: (stolen - before.stolen) / seconds }
  return Object.fromEntries(Object.entries(shares).filter(([, share]) => share > minOfOthers))
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
