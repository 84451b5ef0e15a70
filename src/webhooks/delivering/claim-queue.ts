/**
 * Whose turn it is to be asked for what is due. Those just told of come first; those with more than they have room
 * for take turns behind them, so that a backlog delays nobody's news.
 */
import type { Lane, Lanes } from './lanes.ts'

const mostLanesAtOnce = 200
/** So many of a backlog at once, when others wait too. */
const smallShare = 4
/**
 * So many found at once are a backlog. Fewer are not, when only because others had taken the room no more could be
 * asked for: taken for one, a webhook that keeps up would wait with those that do not, and never catch up.
 */
const backlogFrom = 16
/** Beyond so many that wait, each has what it was asked for as likely as not because it has a backlog. */
const crowd = 64

/** `telling`: if it has so many, it has more. */
export type Turn = { id: number; room: number; telling: boolean }

export function createTurns(lanes: Lanes) {
  const eager = new Set<number>()
  const patient = new Set<number>()
  /** Had more waiting when last asked. */
  const backlogged = new Set<number>()
  /** Have something due that could not be taken: no room, or behind something under way. */
  const waiting = new Set<number>()

  function add(ids: Iterable<number>) {
    for (const id of ids) {
      if (backlogged.has(id)) patient.add(id)
      else eager.add(id)
    }
  }

  /** Who is asked now, and for how many. */
  function next(): Turn[] {
    lanes.look()
    const free = lanes.free()
    const turns: Turn[] = []
    for (const queue of lanes.hasMuchRoom() ? [eager, patient] : [eager]) {
      const isCrowded = queue.size > crowd
      const share = Math.max(smallShare, Math.floor(free.all / Math.max(1, queue.size)))
      for (const id of queue) {
        if (free.all <= 0 || turns.length >= mostLanesAtOnce) return turns
        // It may wait in both: asked twice at once, what it has would be found, and sent, twice.
        for (const each of [eager, patient]) each.delete(id)
        const lane = lanes.of(id)
        const wish = lanes.roomOf(lane)
        const room = Math.min(wish, share, lane.quick ? free.all : free.unsure)
        if (room <= 0) {
          waiting.add(id)
          continue
        }
        turns.push({ id, room, telling: isCrowded || room >= Math.min(wish, backlogFrom) })
        free.all -= room
        if (!lane.quick) free.unsure -= room
      }
    }
    return turns
  }

  /** What asking came to. */
  function note({ id, room, telling }: Turn, found: number) {
    if (found > 0) waiting.add(id)
    if (found < room) backlogged.delete(id)
    else {
      if (telling) backlogged.add(id)
      add([id])
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
    isEmpty: () => eager.size === 0 && patient.size === 0,
    /** Somebody could be asked now. */
    isReady: () => eager.size > 0 || (patient.size > 0 && lanes.hasMuchRoom()),
  }
}
