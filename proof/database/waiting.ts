/** Statements that take longer in real time: whether they wait for a lock, and of whom. */

const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis

/** In real time. */
export function isDoneWithin(ms: number, running: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = realSetTimeout(() => resolve(false), ms)
    void running.then(() => {
      realClearTimeout(timer)
      resolve(true)
    })
  })
}

/** In a deadlock the server ends one of them by itself. */
export function isBlocked(pid: number, blockers: Map<number, number[]>): boolean {
  return (blockers.get(pid)?.length ?? 0) > 0 && !isDeadlocked(pid, blockers)
}

function isDeadlocked(pid: number, blockers: Map<number, number[]>): boolean {
  const seen = new Set<number>()
  const next = [...(blockers.get(pid) ?? [])]
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    if (one === pid) return true
    if (seen.has(one)) continue
    seen.add(one)
    next.push(...(blockers.get(one) ?? []))
  }
  return false
}
