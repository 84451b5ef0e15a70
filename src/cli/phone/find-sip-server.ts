/** Where a phone on this machine registers: the running service says it, whatever its SIP_PORT. */

import type { Config } from '../../config.ts'
import { urlOf } from '../../http/server/listening.ts'
import { command } from '../../kit/process/command.ts'
import { askService } from '../ask-service.ts'
import { UsageError } from '../usage.ts'

type Transport = 'udp' | 'tcp' | 'ws'

const names = { udp: 'SIP', tcp: 'SIP', ws: 'WebSocket' }

/** `host:port`. */
export async function findSipServer(
  config: Config,
  transport: Transport,
  api: string | undefined,
): Promise<string> {
  const { host, port, httpTls } = config
  const service = readOrigin(api ?? urlOf(host, port, httpTls !== undefined))
  let problem = ''
  const addresses = await askService(config, `${service}/addresses`)
    .then(({ isOk, text }) => (isOk ? Object(JSON.parse(text)) : undefined))
    .catch((error: Error) => {
      problem = certificateProblem(error)
    })
  if (addresses === undefined) {
    throw new UsageError(
      `No service answers at ${service}${problem}: start it with ${command} serve, or name it with --api or --server.`,
    )
  }
  const address: unknown = addresses[names[transport]]
  if (typeof address !== 'string') {
    throw new UsageError(`The service at ${service} serves no phones over ${transport}.`)
  }
  if (address.startsWith('wss:')) {
    throw new UsageError(`The service at ${service} takes WebSocket over TLS only: use udp or tcp.`)
  }
  return address.replace(/^ws:\/\//, '')
}

/** A certificate that is not trusted is no missing service. */
function certificateProblem({ cause }: Error): string {
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException
  return /CERT|SIGNATURE|ALTNAME/.test(code) ? ` with a certificate that is trusted (${code})` : ''
}

function readOrigin(api: string): string {
  if (!URL.canParse(api)) throw new UsageError('--api is a URL, such as http://localhost:3000.')
  return new URL(api).origin
}
