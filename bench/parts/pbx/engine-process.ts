/** Our engine in its own process, with a host that accepts every extension of one domain. */
import type { CallEvent, Recording } from '../../../src/engine/port.ts'
import { createBenchEngine, measureMemory, serveParent } from '../bench-engine.ts'
import { createCallLoad } from './call-load.ts'
import { benchDomain, benchPassword, destination, firstPhone, phones } from './extensions.ts'

const [spool = '', carrier = '', records = ''] = process.argv.slice(2)

/** Several trunks, since one trunk starts at most a thousand calls a second. */
const trunks = ['one', 'two', 'three', 'four'].map((name) => ({
  name,
  address: `sip:127.0.0.1:${carrier}`,
  qualifySeconds: 0,
  channels: 10_000,
  callsPerSecond: 1_000,
}))

const waiting = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
let recordings: Pick<Recording, 'seconds' | 'bytes'>[] = []

const engine = createBenchEngine({
  spoolFolder: spool,
  domain: benchDomain,
  password: benchPassword,
  trunks,
  rtpPorts: { from: 20_000, to: 31_999 },
  mediaSeconds: 600,
  host: { admitCall: async () => ({ rejected: 'UNALLOCATED_NUMBER' }), onCall },
})

function onCall(event: CallEvent) {
  const { type, callId } = event
  if (type !== 'answered' && type !== 'ended') return
  if (type === 'answered') waiting.get(callId)?.resolve()
  else waiting.get(callId)?.reject(new Error(`the call ended with ${event.cause}`))
  waiting.delete(callId)
  if (type === 'ended' && event.recording) {
    const { seconds, bytes } = event.recording
    recordings.push({ seconds, bytes })
  }
}

let placed = 0

function place(callId: string): Promise<void> {
  placed += 1
  const number = String(firstPhone + (placed % phones))
  return new Promise((resolve, reject) => {
    waiting.set(callId, { resolve, reject })
    engine.place({
      callId,
      extension: { domain: benchDomain, number },
      shown: { number: destination },
      destination: { number: destination },
      presented: { number: '554830001000' },
      record: records === 'recording',
      limits: { ring: 30, answer: 30, talk: 3_600 },
    })
  })
}

const callLoad = createCallLoad({
  place,
  hangUp: (callId) => engine.hangUp(callId),
  liveCalls: () => engine.liveCalls().length,
})

const work = {
  ...callLoad,
  port: () => engine.ports().udp ?? 0,
  /** Recordings of calls that ended since the last `recordings`. */
  recordings() {
    const ended = recordings
    recordings = []
    return ended
  },
  figures: () => engine.metrics(),
  memory: measureMemory,
}
export type EngineWork = typeof work

await serveParent(engine, work)
