/** A SIP endpoint with its own sockets, transactions and user agent, for the sandbox carrier and the softphone. */
import { randomBase62 } from '../../../kit/ids.ts'
import type { Log } from '../../../kit/process/log.ts'
import type { Timers } from '../../../kit/timers.ts'
import { allowHeader } from '../../../sip/dialog/user-agent-core.ts'
import { buildResponse } from '../../../sip/message/response.ts'
import type { IncomingRequest } from '../../../sip/transaction/transactions.ts'
import type { Flow } from '../../../sip/transport/flow.ts'
import { createTransports } from '../../../sip/transport/transports.ts'
import { createSipStack } from '../../../sip/user-agent/sip-stack.ts'
import { createWebSocketWire } from './web-socket-wire.ts'

type Settings = {
  /** Our numeric address. */
  host: string
  /** The user part of our Contact. */
  user?: string
  product: string
  timers: Timers
  log: Pick<Log, 'warn' | 'error'>
  /** Connects to this URL by WebSocket; by default uses UDP and TCP on a free port. */
  webSocket?: string | undefined
  onClosed?(flow: Flow): void
}

export async function openSipEndpoint(settings: Settings) {
  const { host, user, product, timers, log, onClosed } = settings
  const transports = await openTransports(settings)
  const { userAgent, contact, stop } = createSipStack({ transports, user, product, timers, log, onClosed })

  userAgent.onRequest(answerOther)

  return {
    userAgent,
    contact,
    address: { address: host, port: transports.ports().udp ?? 0 },
    stop,
  }
}
export type SipEndpoint = Awaited<ReturnType<typeof openSipEndpoint>>

/** OPTIONS is how others check that we are reachable. */
function answerOther({ request, respond }: IncomingRequest) {
  const status = request.method === 'OPTIONS' ? 200 : 405
  respond(buildResponse(request, status, { toTag: randomBase62(12), headers: allowHeader }))
}

async function openTransports({ host, timers, log, webSocket }: Settings) {
  if (webSocket !== undefined) return createWebSocketWire({ url: webSocket, log })
  const transports = createTransports({ host, advertised: host, ports: { udp: 0, tcp: 0 }, timers, log })
  await transports.start()
  return transports
}
