/** CPU time and memory of a process, from /proc. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** USER_HZ, the unit of CPU times in /proc. */
const ticksPerSecond = 100

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

const releaseMs = 1_000

/** For this process, before its memory is read: V8 gives freed pages back in the background, and finalizers free more. */
export async function collectGarbage() {
  for (let times = 0; times < 2; times++) {
    globalThis.gc?.()
    await sleep(releaseMs)
  }
}

/** A process and all its descendants. */
export function familyOf(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      parents.set(Number(name), statOf(Number(name))[0] ?? 0)
    } catch {
      // It ended while we looked.
    }
  }
  const family = [pid]
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child)
  }
  return family
}

/** Parent, group, then user and system time, and those of ended children; the program's name before may hold spaces. */
function statOf(pid: number): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return [1, 2, 11, 12, 13, 14].map((index) => Number(fields[index]))
}
