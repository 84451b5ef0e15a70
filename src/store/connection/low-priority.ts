/**
 * Lowers the priority of a pool's sessions on the embedded server (D186): where cores are few, searches run on what calls
 * and other requests leave. Sessions of a server elsewhere are out of reach.
 */
import { setPriority } from 'node:os'
import type pg from 'pg'

/** From 0 to 19, as with `nice`: about a tenth of the share of an ordinary process. */
const niceness = 10

export function lowerPriority(pool: pg.Pool) {
  pool.on('connect', (client) => {
    const { processID } = client as pg.PoolClient & { processID?: number }
    try {
      if (processID) setPriority(processID, niceness)
    } catch {
      // The server runs as another user, or the session has ended: it keeps its priority.
    }
  })
}
