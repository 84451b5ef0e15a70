import type { Peer } from '../flow.ts'
import type { Inbox } from '../inbox.ts'
import type { Connections } from './connections.ts'

/** What every kind of connection needs to hand on what it hears. */
export type ReceiveDeps = {
  inbox: Inbox
  connections: Connections
  now(): number
  /** Asked of every message: who was let in may wear out his welcome. */
  admit(remote: Peer, bytes?: Buffer): boolean
}
