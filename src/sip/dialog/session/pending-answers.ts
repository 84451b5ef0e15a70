/** Promises for the peer's answers, all settled when the leg ends. */
export function createPendingAnswers() {
  const open = new Set<() => void>()
  let closed = false

  return {
    /** Resolves with the value given to `settle`, or with `fallback` if the leg ends first. */
    wait<T>(fallback: T, begin: (settle: (value: T) => void) => void): Promise<T> {
      if (closed) return Promise.resolve(fallback)
      return new Promise((resolve) => {
        const giveUp = () => settle(fallback)
        const settle = (value: T) => {
          open.delete(giveUp)
          resolve(value)
        }
        open.add(giveUp)
        begin(settle)
      })
    },
    close() {
      closed = true
      for (const giveUp of [...open]) giveUp()
    },
  }
}
