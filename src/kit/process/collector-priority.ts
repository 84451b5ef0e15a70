/**
 * V8 collects garbage with threads of its own beside the main one. They run with a lower priority: where cores are few, a
 * full collection would otherwise take them from PostgreSQL for tens of milliseconds, and every request waits. Where Linux
 * groups threads by session (`kernel.sched_autogroup_enabled`), priorities count less between this process and PostgreSQL.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** From 0 to 19, as with `nice`: about a tenth of the share of an ordinary thread. */
const niceness = 10

/** `threads`: the folder in which Linux lists the threads of a process. */
export function lowerCollectorPriority(
  threads = '/proc/self/task',
  set: (id: number, niceness: number) => void = setPriority,
) {
  try {
    for (const id of readdirSync(threads)) if (isCollector(threads, id)) set(Number(id), niceness)
  } catch {
    // Not Linux, or a thread has ended: they keep their priority.
  }
}

const isCollector = (threads: string, id: string) =>
  readFileSync(`${threads}/${id}/comm`, 'utf8').startsWith('V8Worker')
