/** The timer values of RFC 3261, 17.1.1.1, in milliseconds; all other timers are derived from them. */
export type Timing = {
  /** Estimate of the round-trip time. */
  t1: number
  /** The longest interval between retransmissions. */
  t2: number
  /** How long a message may stay in the network. */
  t4: number
}

export const defaultTiming: Timing = { t1: 500, t2: 4_000, t4: 5_000 }

/** Timers B, D, F, H, J, L and M. */
export const transactionTimeout = ({ t1 }: Timing): number => 64 * t1
