/** Limits on connections; each can be configured. */
export type ConnectionLimits = {
  /** Open connections in total. */
  connections: number
  /** Open connections from one source address; the phones of an office share one, all phones behind a proxy do. */
  perSource: number
  /** Open connections whose peer has not authenticated yet; beyond this, one of the source with the most is closed. */
  unproven: number
  /** Bytes that the peer has not read yet. */
  queuedBytes: number
  connectMs: number
  /** How long a connection may stay open unproven. */
  unprovenMs: number
  /** How long a connection may stay open without any data, keep-alives included. */
  idleMs: number
}

export const defaultConnectionLimits: ConnectionLimits = {
  connections: 10_000,
  perSource: 500,
  unproven: 1_000,
  queuedBytes: 1_048_576,
  connectMs: 5_000,
  unprovenMs: 30_000,
  idleMs: 7_200_000,
}
