/**
 * The order in which webhooks have their due deliveries claimed, and how many each may claim at once. There are two
 * queues: webhooks without a known backlog are claimed first, those with one take turns behind them. A backlog
 * therefore never delays the new events of another webhook.
 *
 *   add ──▶ fresh ───────▶ next() ── claim in the database ──▶ record(request, found)
 *      └──▶ backlogged ──▶   ▲                                        │
 *             ▲              └──── found as many as asked for: queued again
 *             └── and that many prove a backlog
 */
import type { Lane, Lanes } from './lanes.ts'

const maxRequests = 200
/** Rows claimed at once for each webhook of a crowded queue. */
const minShare = 4
/**
 * Claiming this many rows at once proves a backlog. A smaller claim proves one only if the webhook itself could take no
 * more. If the limit was lower because other webhooks used the capacity, a full claim proves nothing: treating it as
 * a backlog would starve a webhook that keeps up.
 */
const backlogFrom = 16
/** With more webhooks queued than this, shares are so small that any full claim is taken as a backlog. */
const crowd = 64

export type ClaimRequest = {
  integrationId: number
  /** Rows to claim at most. */
  limit: number
  /** True if claiming `limit` rows proves that the webhook has a backlog. */
  provesBacklog: boolean
}

export function createClaimQueue(lanes: Lanes) {
  const fresh = new Set<number>()
  const backlogged = new Set<number>()
  /** Had more due than could be claimed, the last time. */
  const knownBacklogs = new Set<number>()
  /** Have due rows that could not be claimed: the lane is full, or an earlier event of the call is in flight. */
  const blocked = new Set<number>()

  function add(integrationIds: Iterable<number>) {
    for (const id of integrationIds) {
      if (knownBacklogs.has(id)) backlogged.add(id)
      else fresh.add(id)
    }
  }

  /** Removes the webhooks to be claimed for now, with the number of rows for each. */
  function next(): ClaimRequest[] {
    lanes.markSlow()
    const free = lanes.freeCapacity()
    const requests: ClaimRequest[] = []
    for (const queue of lanes.hasSpareCapacity() ? [fresh, backlogged] : [fresh]) {
      const isCrowded = queue.size > crowd
      const share = Math.max(minShare, Math.floor(free.all / Math.max(1, queue.size)))
      for (const id of queue) {
        if (free.all <= 0 || requests.length >= maxRequests) return requests
        // A webhook may be in both queues. Claimed for twice in one statement, its rows would be sent twice.
        fresh.delete(id)
        backlogged.delete(id)
        const lane = lanes.of(id)
        const capacity = lanes.capacityOf(lane)
        const limit = Math.min(capacity, share, free.all, lane.isFast ? free.all : free.unproven)
        if (limit <= 0) {
          blocked.add(id)
          continue
        }
        const provesBacklog = isCrowded || limit >= Math.min(capacity, backlogFrom)
        requests.push({ integrationId: id, limit, provesBacklog })
        free.all -= limit
        if (!lane.isFast) free.unproven -= limit
      }
    }
    return requests
  }

  /** `found` counts the due rows that the claim met, whether or not they could be claimed. */
  function record({ integrationId, limit, provesBacklog }: ClaimRequest, found: number) {
    if (found > 0) blocked.add(integrationId)
    if (found < limit) {
      knownBacklogs.delete(integrationId)
      return
    }
    if (provesBacklog) knownBacklogs.add(integrationId)
    add([integrationId])
  }

  /** Queues a blocked webhook again once half of its lane is free. Returns whether it did. */
  function requeueIfFree({ id, width, inFlight }: Lane): boolean {
    if (!blocked.has(id) || inFlight > width / 2) return false
    blocked.delete(id)
    add([id])
    return true
  }

  return {
    add,
    next,
    record,
    requeueIfFree,
    /** Returns whether the webhook was blocked, and forgets it: the caller adds it again. */
    unblock: (integrationId: number) => blocked.delete(integrationId),
    isEmpty: () => fresh.size === 0 && backlogged.size === 0,
    /** After `next` returned none: whether webhooks without a backlog wait because the process has no free place. */
    isBehind: () => fresh.size > 0,
    /** Whether `next` would return requests. */
    hasClaimable: () => fresh.size > 0 || (backlogged.size > 0 && lanes.hasSpareCapacity()),
  }
}
export type ClaimQueue = ReturnType<typeof createClaimQueue>
