/** A counting semaphore: so many tasks run at once, the others wait in order. */
export function createSemaphore(most: number) {
  const waiting: (() => void)[] = []
  let free = most

  async function run<T>(task: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      // The permit goes to the next task, or is free.
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }

  return { run }
}
