/** A SIP endpoint with its own sockets, transactions and user agent, for the sandbox carrier and the softphone. */

import { randomBase62 } from '../../../kit/ids.ts'
import type { Log } from '../../../kit/log.ts'
import type { Timers } from '../../../kit/timers.ts'
import { allowHeader } from '../../sip/dialog/user-agent-core.ts'
import { buildResponse } from '../../sip/message/response.ts'
import { noParams } from '../../sip/syntax/params.ts'
import { createTransactions } from '../../sip/transaction/transaction-layer.ts'
import type { IncomingRequest } from '../../sip/transaction/transactions.ts'
import type { Flow, Target } from '../../sip/transport/flow.ts'
import { createTransports } from '../../sip/transport/transports.ts'
import { sipUri, type Uri } from '../../sip/uri/uri.ts'
import { createUserAgent } from '../../sip/user-agent/user-agent.ts'
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
  const wire = await openWire(settings)
  const transactions = createTransactions({ transports: wire, timers, log })
  const userAgent = createUserAgent({
    transactions: {
      ...transactions,
      onClosed: (listener) =>
        transactions.onClosed((flow) => {
          listener(flow)
          onClosed?.(flow)
        }),
    },
    timers,
    contact,
    product,
    log,
  })

  userAgent.onRequest(answerOther)

  function contact({ transport }: Target): Uri {
    const params = transport === 'udp' ? noParams : new Map([['transport', transport]])
    return sipUri({ user, ...wire.sentBy(transport), params })
  }

  return {
    userAgent,
    contact,
    address: { address: host, port: wire.ports().udp ?? 0 },
    async stop() {
      transactions.stop()
      await wire.stop()
    },
  }
}
export type SipEndpoint = Awaited<ReturnType<typeof openSipEndpoint>>

/** OPTIONS is how others check that we are reachable. */
function answerOther({ request, respond }: IncomingRequest) {
  const status = request.method === 'OPTIONS' ? 200 : 405
  respond(buildResponse(request, status, { toTag: randomBase62(12), headers: allowHeader }))
}

async function openWire({ host, timers, log, webSocket }: Settings) {
  if (webSocket !== undefined) return createWebSocketWire({ url: webSocket, log })
  const transports = createTransports({ host, advertised: host, ports: { udp: 0, tcp: 0 }, timers, log })
  await transports.start()
  return transports
}
