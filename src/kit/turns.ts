/** Lets so many things happen at once; the others wait for their turn, in order. */
export function createTurns(most: number) {
  const waiting: (() => void)[] = []
  let free = most

  async function run<T>(task: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      // The turn goes to the next one, or is free.
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }

  return { run }
}
