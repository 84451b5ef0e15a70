/** CPU time and memory of a process, from /proc. */
import { readdirSync, readFileSync } from 'node:fs'

/** USER_HZ, the unit of CPU times in /proc. */
const ticksPerSecond = 100
/** SCHED_IDLE */
const idleClass = 5

/** CPU time of all threads of the process since its start. */
export function cpuSeconds(pid: number): number {
  const [, , user = 0, system = 0] = statOf(pid)
  return (user + system) / ticksPerSecond
}

/** With the children that have ended: a backend that exits does not take its time with it. */
export function cpuSecondsWithChildren(pid: number): number {
  const [, , user = 0, system = 0, ofChildren = 0, systemOfChildren = 0] = statOf(pid)
  return (user + system + ofChildren + systemOfChildren) / ticksPerSecond
}

/**
 * In MB. RSS counts shared pages in full; PSS gives each process its share of them, so that the sum
 * over a family of processes is what the family really takes.
 */
export function memoryOf(pid: number): { rss: number; pss: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const megabytes = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1]) * 1024) / 1e6
  return { rss: megabytes('Rss'), pss: megabytes('Pss') }
}

/** A process and all its descendants. */
export function familyOf(pid: number): number[] {
  const parents = readEach((other) => statOf(other)[0])
  const family = [pid]
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child)
  }
  return family
}

/** CPU time of each program outside the family of this process, but for those of the idle class, which give way to it. */
export function cpuSecondsOfOthers(): Map<number, number> {
  const family = new Set(familyOf(process.pid))
  return readEach((pid) => (family.has(pid) || statOf(pid)[6] === idleClass ? 0 : cpuSeconds(pid)))
}

/** Every process, by its id. */
function readEach<T>(read: (pid: number) => T): Map<number, T> {
  const values = new Map<number, T>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      values.set(Number(name), read(Number(name)))
    } catch {
      // It ended while we looked.
    }
  }
  return values
}

/** CPU time that the host of a virtual machine gave to others. */
export function stolenSeconds(): number {
  const fields = readFileSync('/proc/stat', 'utf8').split(/\s+/, 9)
  return Number(fields[8]) / ticksPerSecond
}

/**
 * Parent, group, then user and system time, those of ended children, and the
 * scheduling class; the program's name before may hold spaces.
 */
function statOf(pid: number): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return [1, 2, 11, 12, 13, 14, 38].map((index) => Number(fields[index]))
}
