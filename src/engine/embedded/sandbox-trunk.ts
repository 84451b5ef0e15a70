/** The sandbox carrier, used when no trunk is configured, with a trunk to it. */
import type { Log } from '../../kit/process/log.ts'
import type { Timers } from '../../kit/timers.ts'
import { startSandboxCarrier } from '../sandbox/carrier.ts'
import { parseTrunks } from '../trunk-settings/parse-trunks.ts'

export async function openSandbox(deps: { timers: Timers; log: Log }) {
  const carrier = await startSandboxCarrier(deps)
  const trunks = parseTrunks(
    JSON.stringify([{ name: 'sandbox', address: carrier.uri, format: 'e164', channels: 200 }]),
  )
  return { carrier, trunks }
}
