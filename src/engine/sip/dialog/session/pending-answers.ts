/** Promises that are kept whatever becomes of the leg they are about. */
export function createPendingAnswers() {
  const open = new Set<() => void>()
  let over = false

  return {
    /** `otherwise` is what it comes to if the leg ends first. */
    wait<T>(otherwise: T, begin: (settle: (value: T) => void) => void): Promise<T> {
      if (over) return Promise.resolve(otherwise)
      return new Promise((resolve) => {
        const giveUp = () => settle(otherwise)
        const settle = (value: T) => {
          open.delete(giveUp)
          resolve(value)
        }
        open.add(giveUp)
        begin(settle)
      })
    },
    close() {
      over = true
      for (const giveUp of [...open]) giveUp()
    },
  }
}
