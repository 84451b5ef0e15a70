/**
 * The engine that is attacked, in a process of its own. Fuzzed, it accepts every call of its one carrier, for a few
 * seconds; flooded, every call goes to extension 1001, and only 127.0.0.1 counts as this machine.
 */
import { createSecretKey, randomUUID } from 'node:crypto'
import { createEmbeddedEngine } from '../../../src/engine/embedded/engine.ts'
import { codecNames } from '../../../src/engine/media/codecs/registry.ts'
import { parseTrunks } from '../../../src/engine/trunk-settings/parse-trunks.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { createLog } from '../../../src/kit/log.ts'
import { systemTimers } from '../../../src/kit/timers.ts'
import { answerParent } from '../ask.ts'
import { memoryOf } from '../process-figures.ts'

const [spool = '', carrierPort = '', attack = 'fuzz'] = process.argv.slice(2)
const isFlooded = attack === 'flood'
const carrier = [
  { name: 'carrier', address: `sip:127.0.0.9:${carrierPort}`, qualifySeconds: 0, channels: 100 },
]
let liveAtMost = 0

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
      rtpPorts: { from: 32_000, to: 33_999 },
      mediaThreads: 1,
      mediaSeconds: isFlooded ? 30 : 5,
      trunks: parseTrunks(JSON.stringify(carrier)),
    },
    spoolFolder: spool,
    digestKey: createSecretKey(Buffer.alloc(32, 7)),
    clock: systemClock,
    timers: systemTimers,
    log: createLog('error'),
    ...(isFlooded && { isThisMachine: (address: string) => address === '127.0.0.1' }),
  },
  {
    credentials: ({ domain }) => (domain === 'bench.test' ? { password: 'secret' } : undefined),
    extensions: async function* () {},
    registrations: async () => [],
    async admitCall() {
      liveAtMost = Math.max(liveAtMost, engine.liveCalls().length)
      return {
        callId: randomUUID(),
        destination: isFlooded
          ? { extension: { domain: 'bench.test', number: '1001' } }
          : { number: '5548999998888' },
        presented: undefined,
        record: false,
        limits: isFlooded ? { ring: 20, answer: 20, talk: 600 } : { ring: 2, answer: 2, talk: 3 },
      }
    },
    onCall() {},
    onRegistration() {},
  },
)

const work = {
  liveCalls: () => engine.liveCalls().length,
  ports: () => engine.ports(),
  figures: (): Record<string, number> => ({ ...engine.metrics(), live_at_most: liveAtMost }),
  /** In MB, after a garbage collection. */
  memory() {
    globalThis.gc?.()
    return { heap: process.memoryUsage().heapUsed / 1e6, rss: memoryOf(process.pid).rss }
  },
}
export type AttackedEngineWork = typeof work

await engine.start()
process.once('SIGTERM', () => void engine.stop().then(() => process.exit()))
answerParent(work)
process.send?.('ready')
