/** Counters by name, for the metrics. */
export function createCounts() {
  const counts = new Map<string, number>()
  return {
    add(name: string) {
      counts.set(name, (counts.get(name) ?? 0) + 1)
    },
    all: (): Record<string, number> => Object.fromEntries(counts),
  }
}
export type Counts = ReturnType<typeof createCounts>
