/** Cost of each part of the load in cores, from the figures of docs/capacity.json. */
import { readFileSync } from 'node:fs'
import type { Capacity } from '../capacity/ramp.ts'

const figuresFile = new URL('../../../docs/capacity.json', import.meta.url)

/** Seconds of one core; of calls at once, cores. */
export type Costs = {
  /** Sound of one recorded call: cores of a voice machine. */
  sound: { plain: number; browser: number }
  setUp: number
  registration: number
  request: number
  /** A call with all its steps and events, stored and priced. */
  call: { service: number; database: number }
  delivery: { service: number; database: number }
}

type Part = { capacities?: Capacity[] }

export function readCosts(): Costs {
  const parts = JSON.parse(readFileSync(figuresFile, 'utf8')) as Record<string, Part>

  function costOf(part: string, name: string, process = 'the service', perSecond = 1): number {
    const found = parts[part]?.capacities?.find((one) => one.name === name)
    const cores = found?.reading.cores[process]
    if (!found || cores === undefined) throw new Error(`docs/capacity.json has no "${name}" of ${process}`)
    return cores / (found.carried * perSecond)
  }
  const both = (part: string, name: string) => ({
    service: costOf(part, name),
    database: costOf(part, name, 'PostgreSQL'),
  })
  const plain = costOf('recorded', 'recorded calls at once, by SIP')
  // The part by kind has no SIP: what a browser costs more is added to the call that has.
  const browser =
    costOf('sound', 'the same, one side a browser (WebRTC)') -
    costOf('sound', 'recorded calls at once, sound alone')
  return {
    sound: { plain, browser: plain + browser },
    setUp: costOf('setups', 'calls set up, both legs'),
    registration: costOf(
      'registrations',
      'registered phones, all registering again within a minute',
      'the service',
      1 / 60,
    ),
    request: costOf('api', 'API requests (GET /users/me)'),
    call: both('api', 'whole calls'),
    delivery: both('deliveries', 'events delivered to a webhook'),
  }
}
