/** Our engine as benchmarks run it, in a process of their own: on 127.0.0.1, with every extension of one domain. */
import { createSecretKey } from 'node:crypto'
import { createEmbeddedEngine } from '../../src/engine/embedded/engine.ts'
import type { EngineHost } from '../../src/engine/port.ts'
import { parseTrunks } from '../../src/engine/trunk-settings/parse-trunks.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { createLog } from '../../src/kit/process/log.ts'
import { systemTimers } from '../../src/kit/timers.ts'
import { loopbackSettings } from '../../test/sip/engine/test-settings.ts'
import { answerParent } from './ask.ts'
import { collectGarbage } from './garbage.ts'
import { memoryOf } from './process-figures.ts'

type Options = {
  spoolFolder: string
  domain: string
  password: string
  trunks: object[]
  rtpPorts: { from: number; to: number }
  mediaSeconds: number
  /** Which addresses are those of this machine; by default the engine finds out. */
  isThisMachine?: (address: string) => boolean
  host: Pick<EngineHost, 'admitCall' | 'onCall'>
}

export function createBenchEngine(options: Options) {
  const { spoolFolder, domain, password, trunks, rtpPorts, mediaSeconds, isThisMachine, host } = options
  return createEmbeddedEngine(
    {
      settings: {
        ...loopbackSettings,
        rtpPorts,
        mediaSeconds,
        usesSandbox: trunks.length === 0,
        trunks: parseTrunks(JSON.stringify(trunks)),
      },
      spoolFolder,
      digestKey: createSecretKey(Buffer.alloc(32, 7)),
      clock: systemClock,
      timers: systemTimers,
      log: createLog('error'),
      ...(isThisMachine && { isThisMachine }),
    },
    {
      ...host,
      credentials: (extension) => (extension.domain === domain ? { password } : undefined),
      extensions: async function* () {},
      registrations: async () => [],
      onRegistration() {},
    },
  )
}

/** In MB, after a garbage collection. */
export async function measureMemory() {
  await collectGarbage()
  return { heap: process.memoryUsage().heapUsed / 1e6, rss: memoryOf(process.pid).rss }
}

/** Starts the engine and does what the parent process requests, until it ends this process. */
export async function serveParent(
  engine: ReturnType<typeof createBenchEngine>,
  work: Parameters<typeof answerParent>[0],
) {
  await engine.start()
  process.once('SIGTERM', () => void engine.stop().then(() => process.exit()))
  answerParent(work)
  process.send?.('ready')
}
