/** What happened, counted by name, for the operator's figures. */
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
