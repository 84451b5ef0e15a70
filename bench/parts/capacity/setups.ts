/** Capacity of the voice node: calls set up in a second, both legs, without sound; Asterisk beside it where it is there. */
import { type MeasuredPbx, raiseBesideAsterisk } from './beside-asterisk.ts'
import { measureCores } from './cores.ts'
import { type Capacity, type Reading, tooSlow } from './ramp.ts'

const maxMs = 200
const seconds = 3
const warmUp = { perSecond: 50, seconds: 6 }

export function setUpCapacity(): Promise<Capacity[]> {
  return raiseBesideAsterisk({
    name: 'calls set up, both legs',
    unit: '/s',
    first: 200,
    firstOfAsterisk: 50,
    highest: 3_200,
    records: false,
    run: setUpAt,
  })
}

async function setUpAt({ pid, ask, endpoints }: MeasuredPbx, perSecond: number): Promise<Reading> {
  await ask('setUp', warmUp)
  const { result, ...used } = await measureCores({ service: pid, load: endpoints.pid }, () =>
    ask('setUp', { perSecond, seconds }),
  )
  const failed = result.failed > 0 ? `${result.failed} calls failed` : undefined
  return { ...used, latencies: result, broken: failed ?? tooSlow(result, maxMs) }
}
