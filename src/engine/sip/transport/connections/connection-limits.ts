/** How much of connections we are ready to hold. An operator may turn each. */
export type ConnectionLimits = {
  /** Open at once, in all. */
  connections: number
  /** From one source; many phones share an office's address, and all of them a proxy's. */
  perSource: number
  /** Open without a valid message yet; the oldest of them makes room for the newest. */
  unproven: number
  /** Waiting to be read by the other end. */
  queuedBytes: number
  connectMs: number
  /** Without a valid message. */
  unprovenMs: number
  /** Without a byte either way, keep-alives included. */
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
