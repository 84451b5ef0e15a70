/** The times of RFC 3261, 17, in milliseconds; all others come of these. */
export type Timing = {
  /** How long a packet is thought to need, there and back. */
  t1: number
  /** The longest between two repetitions. */
  t2: number
  /** How long a packet may wander about in the network. */
  t4: number
}

export const defaultTiming: Timing = { t1: 500, t2: 4_000, t4: 5_000 }

/** Timers B, D, F, H, J, L and M: after so long nobody asks or answers any more. */
export const transactionTimeout = ({ t1 }: Timing): number => 64 * t1
