/** Cleans up after a removed user elsewhere: this module does not know of phones. */
import type { Database } from '../store/database.ts'

export type RemovedUser = {
  userId: number
  accountId: number
  /** E-mail of the user who removes them; null for the system. */
  actor: string | null
  /** Whether the passwords of their extensions stay. */
  keepsSenha: boolean
}

/** In the transaction that removes the user, before any user is locked. What it returns is called after the commit. */
export type EndPhones = (tx: Database, removed: RemovedUser) => Promise<() => void>
