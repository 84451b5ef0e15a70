/**
 * The engine that is attacked, in a process of its own. Fuzzed, it accepts every call of its one carrier, for a few
 * seconds; flooded, every call goes to extension 1001, and only 127.0.0.1 counts as this machine.
 */
import { randomUUID } from 'node:crypto'
import { createBenchEngine, measureMemory, serveParent } from '../bench-engine.ts'

const [spool = '', carrierPort = '', attack = 'fuzz'] = process.argv.slice(2)
const isFlooded = attack === 'flood'
const carrier = [
  { name: 'carrier', address: `sip:127.0.0.9:${carrierPort}`, qualifySeconds: 0, channels: 100 },
]
let liveAtMost = 0

const engine = createBenchEngine({
  spoolFolder: spool,
  domain: 'bench.test',
  password: 'secret',
  trunks: carrier,
  rtpPorts: { from: 32_000, to: 33_999 },
  mediaSeconds: isFlooded ? 30 : 5,
  ...(isFlooded && { isThisMachine: (address: string) => address === '127.0.0.1' }),
  host: { admitCall, onCall() {} },
})

async function admitCall() {
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
}

const work = {
  liveCalls: () => engine.liveCalls().length,
  ports: () => engine.ports(),
  figures: (): Record<string, number> => ({ ...engine.metrics(), live_at_most: liveAtMost }),
  memory: measureMemory,
}
export type AttackedEngineWork = typeof work

await serveParent(engine, work)
