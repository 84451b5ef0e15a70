import type pg from 'pg'

/** Two PostgreSQL, one of which takes writes: which of them it is changes. */
export type PostgresPair = {
  /** Names both. */
  url: string
  /** At the primary. */
  query(text: string): Promise<pg.QueryResult>
  /** Kills the primary; resolves when the replica takes writes. */
  failOver(): Promise<void>
  /** The one that was killed follows the other one. */
  addReplica(): Promise<void>
  stop(): Promise<void>
}
