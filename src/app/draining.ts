/**
 * D248: draining, because the operator requests it or the process stops: not ready at once, phones are sent elsewhere at
 * once, and new calls over the API are refused when a balancer has had the time to notice (D222). Live calls go on.
 */
import type { VoiceNode } from '../voice/node.ts'
import type { Readiness } from './readiness.ts'

type Deps = {
  readiness: Pick<Readiness, 'setDraining' | 'leave'>
  /** Undefined without the voice role. */
  voice: Pick<VoiceNode, 'setDraining' | 'refuseNewCalls'> | undefined
  noticeSeconds: number
}

export function createDraining({ readiness, voice, noticeSeconds }: Deps) {
  let isRequested = false
  let isStopping = false
  const isDraining = () => isRequested || isStopping

  async function begin() {
    readiness.setDraining(true)
    voice?.setDraining(true)
    await readiness.leave(noticeSeconds)
    if (isDraining()) voice?.refuseNewCalls(true)
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
    },
  }
}
