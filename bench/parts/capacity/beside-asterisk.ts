/** A load on our engine, and the same on Asterisk where it is there. */
import type { Ask } from '../ask.ts'
import type { AsteriskWork } from '../pbx/asterisk-process.ts'
import type { EngineWork } from '../pbx/engine-process.ts'
import { hasAsterisk, withAsterisk, withEngine } from '../pbx/pbx.ts'
import { type SipEndpoints, withSipEndpoints } from '../sip-endpoints/sip-endpoints.ts'
import { type Capacity, type Ramp, type Reading, raise } from './ramp.ts'

/** What both can be requested to do. */
type SharedWork = Pick<EngineWork & AsteriskWork, 'setUp' | 'hold' | 'release'>
export type MeasuredPbx = {
  pid: number
  ask: Ask<SharedWork>
  endpoints: SipEndpoints
  isAsterisk: boolean
}

type Load = Omit<Ramp, 'run'> & {
  /** Where Asterisk begins. */
  firstOfAsterisk: number
  /** Sound flows, and is recorded. */
  records: boolean
  run: (pbx: MeasuredPbx, level: number) => Promise<Reading>
}

/** Each load has a new PBX and new endpoints: those of the last may be overloaded still. */
export async function raiseBesideAsterisk(load: Load): Promise<Capacity[]> {
  const { name, unit, first, firstOfAsterisk, highest, records, run } = load
  const media = records ? 'with RTP' : 'without RTP'
  const runAt = (isAsterisk: boolean) => (level: number) =>
    withSipEndpoints(media, (endpoints) => {
      const withPbx: typeof withEngine | typeof withAsterisk = isAsterisk ? withAsterisk : withEngine
      return withPbx({ endpoints, records }, ({ pid, ask }) =>
        run({ pid, ask, endpoints, isAsterisk }, level),
      )
    })
  const ours = await raise({ name, unit, first, highest, run: runAt(false) })
  if (!hasAsterisk()) return [ours]
  const asterisk = { name: 'the same, Asterisk over ARI', unit, first: firstOfAsterisk, highest }
  return [ours, await raise({ ...asterisk, run: runAt(true) })]
}
