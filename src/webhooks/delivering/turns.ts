/**
 * Whose turn it is to be asked for what is due. Those just told of come first; those with more than they have room
 * for take turns behind them, so that a backlog delays nobody's news.
 */
import type { Lane, Lanes } from './lanes.ts'

const mostLanesAtOnce = 200
/** So many of a backlog at once, when others wait too. */
const smallShare = 4

export type Turn = { id: number; room: number }

/** Those not known to be quick are asked apart: they may have much, and nobody who is quick waits for it. */
export const paces = ['quick', 'unsure'] as const
export type Pace = (typeof paces)[number]

type Queues = { eager: Set<number>; patient: Set<number> }

export function createTurns(lanes: Lanes) {
  const queues: Record<Pace, Queues> = {
    quick: { eager: new Set(), patient: new Set() },
    unsure: { eager: new Set(), patient: new Set() },
  }
  const all = paces.flatMap((pace) => Object.values(queues[pace]))
  /** Had more waiting when last asked. */
  const backlogged = new Set<number>()
  /** Have something due that could not be taken: no room, or behind something under way. */
  const waiting = new Set<number>()

  const queuesOf = (id: number) => queues[lanes.of(id).quick ? 'quick' : 'unsure']

  function add(ids: Iterable<number>) {
    for (const id of ids) {
      const { eager, patient } = queuesOf(id)
      if (backlogged.has(id)) patient.add(id)
      else eager.add(id)
    }
  }

  /** Who of these is asked now, and for how many. */
  function next(pace: Pace): Turn[] {
    lanes.look()
    const free = lanes.free()
    const turns: Turn[] = []
    const { eager, patient } = queues[pace]
    for (const queue of lanes.hasMuchRoom() ? [eager, patient] : [eager]) {
      const share = Math.max(smallShare, Math.floor(free.all / Math.max(1, queue.size)))
      for (const id of queue) {
        if (free.all <= 0 || turns.length >= mostLanesAtOnce) return turns
        // It may wait in several: asked twice at once, what it has would be found, and sent, twice.
        for (const each of all) each.delete(id)
        const lane = lanes.of(id)
        const room = Math.min(lanes.roomOf(lane), share, lane.quick ? free.all : free.unsure)
        if (room <= 0) {
          waiting.add(id)
          continue
        }
        turns.push({ id, room })
        free.all -= room
        if (!lane.quick) free.unsure -= room
      }
    }
    return turns
  }

  /** What asking came to. */
  function note(id: number, room: number, found: number) {
    if (found > 0) waiting.add(id)
    if (found >= room) {
      backlogged.add(id)
      queuesOf(id).patient.add(id)
    } else {
      backlogged.delete(id)
    }
  }

  /** Whether one that waited for room should be asked again; a wide one when half of it is free. */
  function hasRoomAgain({ id, width, underWay }: Lane): boolean {
    if (!waiting.has(id) || underWay > width / 2) return false
    waiting.delete(id)
    add([id])
    return true
  }

  return {
    add,
    next,
    note,
    hasRoomAgain,
    /** Asked once: it is told of again, or asked when everything is looked through. */
    waits: (id: number) => waiting.delete(id),
    isEmpty: () => all.every(({ size }) => size === 0),
    /** Somebody could be asked now. */
    isReady: () =>
      paces.some((pace) => queues[pace].eager.size > 0) ||
      (paces.some((pace) => queues[pace].patient.size > 0) && lanes.hasMuchRoom()),
  }
}
