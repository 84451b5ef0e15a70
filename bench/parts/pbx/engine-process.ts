/** Our engine in its own process, with a host that accepts every extension of one domain. */
import { createSecretKey } from 'node:crypto'
import { createEmbeddedEngine } from '../../../src/engine/embedded/engine.ts'
import { codecNames } from '../../../src/engine/media/codecs/registry.ts'
import type { CallEvent, Recording } from '../../../src/engine/port.ts'
import { parseTrunks } from '../../../src/engine/trunk-settings/parse-trunks.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { createLog } from '../../../src/kit/log.ts'
import { systemTimers } from '../../../src/kit/timers.ts'
import { answerParent } from '../ask.ts'
import { memoryOf } from '../process-figures.ts'
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

const engine = createEmbeddedEngine(
  {
    settings: {
      host: '127.0.0.1',
      publicHost: '127.0.0.1',
      port: 0,
      wsPort: 0,
      tlsPort: undefined,
      tlsFiles: undefined,
      autoAnswer: false,
      codecs: codecNames,
      srtpWithoutTls: false,
      followsRedirects: false,
      edges: [],
      holdMusic: undefined,
      announcements: undefined,
      failureToneSeconds: 0,
      awaySeconds: 0,
      rtpPorts: { from: 20_000, to: 31_999 },
      mediaThreads: 1,
      mediaSeconds: 600,
      trunks: parseTrunks(JSON.stringify(trunks)),
    },
    spoolFolder: spool,
    digestKey: createSecretKey(Buffer.alloc(32, 7)),
    clock: systemClock,
    timers: systemTimers,
    log: createLog('error'),
  },
  {
    credentials: ({ domain }) => (domain === benchDomain ? { password: benchPassword } : undefined),
    extensions: async function* () {},
    registrations: async () => [],
    admitCall: async () => ({ rejected: 'UNALLOCATED_NUMBER' }),
    onCall,
    onRegistration() {},
  },
)

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
  /** In MB, after a garbage collection. */
  memory() {
    globalThis.gc?.()
    return { heap: process.memoryUsage().heapUsed / 1e6, rss: memoryOf(process.pid).rss }
  },
}
export type EngineWork = typeof work

await engine.start()
process.once('SIGTERM', () => void engine.stop().then(() => process.exit()))
answerParent(work)
process.send?.('ready')
