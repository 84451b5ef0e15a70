/**
 * Lowers the priority of a pool's sessions on the embedded server (D186): where cores are few, searches run on what calls
 * and other requests leave. Sessions of a server elsewhere are out of reach.
 */
import { constants, getPriority, setPriority } from 'node:os'
import type pg from 'pg'

/** As with `nice`, besides that of the server: about a tenth of the share of its other sessions. */
const addedNiceness = 10

const lowest = constants.priority.PRIORITY_LOW

export function lowerPriority(pool: pg.Pool) {
  pool.on('connect', (client) => {
    const { processID } = client as pg.PoolClient & { processID?: number }
    try {
      if (processID) setPriority(processID, Math.min(getPriority(processID) + addedNiceness, lowest))
    } catch {
      // The server runs as another user, or the session has ended: it keeps its priority.
    }
  })
}
