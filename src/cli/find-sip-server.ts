/** Where a phone on this machine registers: the running service says it, whatever its SIP_PORT. */
import type { Config } from '../config.ts'
import { urlOf } from '../http/server/listening.ts'
import { UsageError } from './usage.ts'

type Transport = 'udp' | 'tcp' | 'ws'

const names = { udp: 'SIP', tcp: 'SIP', ws: 'WebSocket' }
const timeoutMs = 3_000

/** `host:port`. The settings decide if no service answers and none was named. */
export async function findSipServer(
  { host, port, voice }: Config,
  transport: Transport,
  api: string | undefined,
): Promise<string> {
  const service = readOrigin(api ?? urlOf(host, port))
  const addresses = await fetch(`${service}/addresses`, { signal: AbortSignal.timeout(timeoutMs) })
    .then(async (response) => (response.ok ? Object(await response.json()) : undefined))
    .catch(() => undefined)
  if (addresses === undefined) {
    if (api !== undefined) {
      throw new UsageError(
        `No service answers at ${service}: start it with npm start, or name it with --api.`,
      )
    }
    return `${voice.host}:${transport === 'ws' ? voice.wsPort : voice.port}`
  }
  const address: unknown = addresses[names[transport]]
  if (typeof address !== 'string') {
    throw new UsageError(`The service at ${service} serves no phones over ${transport}.`)
  }
  return address.replace(/^ws:\/\//, '')
}

function readOrigin(api: string): string {
  if (!URL.canParse(api)) throw new UsageError('--api is a URL, such as http://localhost:3000.')
  return new URL(api).origin
}
