/**
 * Capacity of the voice node: recorded calls at once, by SIP, with sound in both directions; Asterisk beside it where it is
 * there. Asterisk mixes what it records every 20 ms, so that its packets are later by design: only missing ones count.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type MeasuredPbx, raiseBesideAsterisk } from './beside-asterisk.ts'
import { measureCores } from './cores.ts'
import { type Capacity, maxLate, type Reading, tooLate } from './ramp.ts'

const seconds = 5
/** Calls set up in a second, until all are there. */
const perSecond = 50
/** The first packets of the last calls. */
const settleMs = 500

export function recordedCapacity(): Promise<Capacity[]> {
  return raiseBesideAsterisk({
    name: 'recorded calls at once, by SIP',
    unit: '',
    first: 100,
    firstOfAsterisk: 50,
    highest: 1_600,
    records: true,
    run: holdAt,
  })
}

/** Carried: all calls are set up, no packet is missing, and those of our engine are in time. */
async function holdAt({ pid, ask, endpoints, isAsterisk }: MeasuredPbx, count: number): Promise<Reading> {
  await ask('hold', { count, perSecond })
  await sleep(settleMs)
  await endpoints.ask('rtpCounts')
  const { result, ...used } = await measureCores({ service: pid, load: endpoints.pid }, async () => {
    await sleep(seconds * 1000)
    return await endpoints.ask('rtpCounts')
  })
  const { sent, sentLate, received, late, latencies } = result
  const share = (packets: number) => (packets / sent) * 100
  const missing =
    share(sent - received) > maxLate
      ? `${share(sent - received).toFixed(1)} % of the packets are missing`
      : undefined
  await ask('release')
  if (isAsterisk) return { ...used, broken: missing }
  return { ...used, latencies, broken: missing ?? tooLate({ late: share(late), sentLate: share(sentLate) }) }
}
