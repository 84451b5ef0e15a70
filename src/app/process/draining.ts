/**
 * D248, D502: draining, because the operator requests it or the process stops: not ready at once, phones are sent to other
 * nodes at once, and calls for those that are still here are taken. A process that stops waits for its phones to go, then
 * refuses new calls; where there is no other node, it refuses them when a balancer has had the time to notice (D222).
 */
import type { Timers } from '../../kit/timers.ts'
import { claimSeconds } from '../../voice/commands.ts'
import type { VoiceNode } from '../../voice/node.ts'
import type { Readiness } from './readiness.ts'

/** D110: the longest registration where there are several nodes, and a phone that comes back after its refusal. */
const moveSeconds = 300 + 60

type Deps = {
  readiness: Pick<Readiness, 'setDraining' | 'leave'>
  /** Undefined without the voice role. */
  voice: Pick<VoiceNode, 'setDraining' | 'refuseNewCalls' | 'phonesMoved' | 'announceClosing'> | undefined
  timers: Timers
  onError(error: unknown): void
  noticeSeconds: number
  drainSeconds: number
  /** Whether phones may register elsewhere. */
  hasOtherNodes(): boolean
  renewLease(): Promise<void>
}

export function createDraining(deps: Deps) {
  const { readiness, voice, timers, onError, noticeSeconds, drainSeconds, hasOtherNodes, renewLease } = deps
  let isRequested = false
  let isStopping = false

  async function begin() {
    readiness.setDraining(true)
    voice?.setDraining(true)
    await readiness.leave(noticeSeconds)
    if (isRequested && !hasOtherNodes()) voice?.refuseNewCalls(true)
  }

  /** Calls that other processes placed before they learned of it are still taken. */
  async function close(node: NonNullable<typeof voice>) {
    await node.phonesMoved(Math.min(moveSeconds, drainSeconds))
    node.announceClosing()
    await renewLease().catch(onError)
    await new Promise<void>((resolve) => timers.after(claimSeconds * 1000, resolve))
  }

  return {
    /** What the operator has requested; nothing happens if it is what was requested before. */
    onRequest(requested: boolean) {
      if (requested === isRequested) return
      isRequested = requested
      if (isStopping) return
      if (requested) return void begin()
      readiness.setDraining(false)
      voice?.setDraining(false)
      voice?.refuseNewCalls(false)
    },
    /** For good. Resolves when new calls are refused. */
    async beforeStop() {
      isStopping = true
      await begin()
      if (voice && hasOtherNodes()) await close(voice)
      voice?.refuseNewCalls(true)
    },
  }
}
