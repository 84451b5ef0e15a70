/** What a witness saw, in order; a test waits for a line of it instead of sleeping. */
const patience = 30_000

export function createJournal<Entry>(witness: string) {
  const entries: Entry[] = []
  const waiting = new Set<() => void>()

  /** The first that fits, already written or yet to come. `after` skips that many, for what happens twice. */
  function until(fits: (entry: Entry) => boolean, { after = 0, within = patience } = {}): Promise<Entry> {
    return new Promise((resolve, reject) => {
      let read = after
      function look() {
        for (; read < entries.length; read += 1) {
          const entry = entries[read]
          if (entry === undefined || !fits(entry)) continue
          settle(() => resolve(entry))
          return
        }
      }
      function settle(how: () => void) {
        clearTimeout(late)
        waiting.delete(look)
        how()
      }
      const late = setTimeout(() => {
        const seen = entries.slice(-40).map((entry) => JSON.stringify(entry))
        settle(() => reject(new Error(`${witness} waited in vain for ${fits}; it saw\n${seen.join('\n')}`)))
      }, within)
      waiting.add(look)
      look()
    })
  }

  return {
    entries,
    until,
    write(entry: Entry) {
      entries.push(entry)
      for (const look of [...waiting]) look()
    },
  }
}
