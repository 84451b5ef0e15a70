/** Connections whose peer has not authenticated, by source. */
import type { Connection } from './connection.ts'

export function createUnproven(isKnown: (address: string) => boolean) {
  const bySource = new Map<string, Set<Connection>>()
  let size = 0

  function add(connection: Connection, source: string) {
    const ofSource = bySource.get(source) ?? new Set()
    bySource.set(source, ofSource.add(connection))
    size += 1
  }

  function remove(connection: Connection, source: string) {
    const ofSource = bySource.get(source)
    if (!ofSource?.delete(connection)) return
    size -= 1
    if (ofSource.size === 0) bySource.delete(source)
  }

  /** The oldest of the source with the most, of sources that are not known if there are such. */
  function takeNext(): Connection | undefined {
    let [source, most, known] = ['', 0, true]
    for (const [one, { size: count }] of bySource) {
      if (!known && count <= most) continue
      const isKnownOne = isKnown(one)
      if (isKnownOne ? known && count > most : known || count > most)
        [source, most, known] = [one, count, isKnownOne]
    }
    const [oldest] = bySource.get(source) ?? []
    if (oldest) remove(oldest, source)
    return oldest
  }

  return { add, delete: remove, takeNext, size: () => size }
}
