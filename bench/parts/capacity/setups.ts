/** Capacity of the voice node: calls set up in a second, both legs, without sound; Asterisk beside it where it is there. */
import type { SetUps } from '../pbx/call-load.ts'
import { hasAsterisk, withAsterisk, withEngine } from '../pbx/pbx.ts'
import { type SipEndpoints, withSipEndpoints } from '../sip-endpoints/sip-endpoints.ts'
import { type Capacity, measureCores, type Reading, raise, tooSlow } from './ramp.ts'

const maxMs = 200
const seconds = 3
const warmUp = { perSecond: 50, seconds: 6 }

type Pbx = { pid: number; ask(name: 'setUp', job: { perSecond: number; seconds: number }): Promise<SetUps> }

/** Each rate at a new PBX: the last may be overloaded still. */
export function setUpCapacity(): Promise<Capacity[]> {
  return withSipEndpoints('without RTP', async (endpoints) => {
    const options = { endpoints, records: false }
    const ours = await raise({
      name: 'calls set up, both legs',
      unit: '/s',
      first: 200,
      highest: 3_200,
      run: (perSecond) => withEngine(options, (engine) => setUpAt(endpoints, engine, perSecond)),
    })
    if (!hasAsterisk()) return [ours]
    const asterisk = await raise({
      name: 'the same, Asterisk over ARI',
      unit: '/s',
      first: 50,
      highest: 3_200,
      run: (perSecond) => withAsterisk(options, (pbx) => setUpAt(endpoints, pbx, perSecond)),
    })
    return [ours, asterisk]
  })
}

async function setUpAt(endpoints: SipEndpoints, { pid, ask }: Pbx, perSecond: number): Promise<Reading> {
  await ask('setUp', warmUp)
  const { result, ...used } = await measureCores({ service: pid, load: endpoints.pid }, () =>
    ask('setUp', { perSecond, seconds }),
  )
  const failed = result.failed > 0 ? `${result.failed} calls failed` : undefined
  return { ...used, latencies: result, broken: failed ?? tooSlow(result, maxMs) }
}
