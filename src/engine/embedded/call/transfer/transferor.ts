/**
 * D282: how one side leaves a call while the other stays. The leaving side is replaced by a link to another call.
 *
 *   talking ─▶ pending (the new party is dialled) ─▶ linked
 *      ▲──────────┘ the new party cannot be reached
 */
import type { Cause } from '../../../../contract/calls/causes.ts'
import type { SideName } from '../../../../media/relay/side.ts'
import { brazilianRingback } from '../../../../media/sound/tone.ts'
import type { Sound } from '../media/sound.ts'

/** The other call, in the place of a leg. */
export type Link = { end(cause: Cause): void }

type Deps = {
  isTalking(): boolean
  sound(): Pick<Sound, 'playTone' | 'stopTone' | 'link'> | undefined
  /** Hangs up the leg and puts the link in its place. */
  replaceLeg(side: SideName, link: Link): void
  finish(cause: Cause, by: SideName): void
}

export function createTransferor({ isTalking, sound, replaceLeg, finish }: Deps) {
  let pending: { side: SideName; link: Link } | undefined
  let hasHungUp = false
  const links = new Map<SideName, Link>()

  return {
    /** False if the call cannot be transferred now. */
    begin(side: SideName, link: Link): boolean {
      if (!isTalking() || pending) return false
      pending = { side, link }
      hasHungUp = false
      return true
    },
    /** The new party rings, which the side that stays hears. */
    ring(link: Link) {
      if (pending?.link === link) sound()?.playTone(remainingSide(pending.side), { tone: brazilianRingback })
    },
    /** The new party cannot be reached: the call goes on as before, unless the leaving side has hung up. */
    fail(link: Link, cause: Cause) {
      if (pending?.link !== link) return
      const { side } = pending
      pending = undefined
      sound()?.stopTone(remainingSide(side))
      if (hasHungUp) finish(cause, side)
    },
    /** `port`: of the other call, on this machine. False if the call is over. */
    connect(side: SideName, link: Link, port: number): boolean {
      if (!isTalking()) return false
      pending = undefined
      links.set(side, link)
      replaceLeg(side, link)
      sound()?.link(side, port)
      sound()?.stopTone(remainingSide(side))
      return true
    },
    /** The call behind the link has ended. */
    end(side: SideName, link: Link, cause: Cause) {
      if (links.get(side) === link) finish(cause, side)
    },
    /** The leg of a side has ended. True if the call goes on without it. */
    leave(side: SideName): boolean {
      if (pending?.side !== side) return false
      hasHungUp = true
      return true
    },
    /** The call is over before the new party answered. */
    close(cause: Cause) {
      pending?.link.end(cause)
    },
  }
}

const remainingSide = (leaving: SideName): SideName => (leaving === 'extension' ? 'other' : 'extension')
