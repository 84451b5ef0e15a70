/** D250: how much of a limit that all nodes share one node may use. */

/** What a node uses, and what it was granted; undefined if it has not reported yet. */
export type Reported = { used: number; granted: number } | undefined

/**
 * What it uses and an equal part of what nobody uses, as far as others were not granted it. So the sum of all grants never
 * exceeds the limit, and moves to the nodes that need it. A node that has not reported may use everything.
 */
export function shareOf(limit: number, used: number, others: readonly Reported[]): number {
  const usedByOthers = others.reduce((sum, other) => sum + (other?.used ?? 0), 0)
  const grantedToOthers = others.reduce((sum, other) => sum + (other ? other.granted : limit), 0)
  const wanted = used + Math.max(0, limit - used - usedByOthers) / (others.length + 1)
  return Math.max(0, Math.min(wanted, limit - grantedToOthers))
}
