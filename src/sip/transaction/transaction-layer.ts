/** The transaction layer (RFC 3261, 17): retransmits requests and responses, and matches them. */
import type { Log } from '../../kit/process/log.ts'
import type { Timers } from '../../kit/timers.ts'
import { createCounts } from '../counts.ts'
import type { Flow } from '../transport/flow.ts'
import type { Wire } from '../transport/transports.ts'
import { createClientTransactions } from './client/client-transactions.ts'
import {
  createServerTransactions,
  defaultServerLimits,
  type ServerLimits,
} from './server/server-transactions.ts'
import { defaultTiming, type Timing } from './timing.ts'
import type { IncomingRequest, Transactions } from './transactions.ts'

type Options = Partial<Timing> & {
  transports: Wire
  timers: Timers
  log: Pick<Log, 'error'>
  limits?: Partial<ServerLimits>
}
type Running = {
  /** Ends all transactions without calling their listeners. */
  stop(): void
  figures(): Record<string, number>
}

export function createTransactions(options: Options): Transactions & Running {
  const { transports: wire, timers, log, limits, ...times } = options
  const timing: Timing = { ...defaultTiming, ...times }
  const counts = createCounts()
  let requestListener: ((incoming: IncomingRequest) => void) | undefined
  let closedListener: ((flow: Flow) => void) | undefined

  const clients = createClientTransactions({ wire, timers, timing, counts, log })
  const servers = createServerTransactions({
    timers,
    timing,
    wire,
    counts,
    log,
    limits: { ...defaultServerLimits, ...limits },
    onRequest: (incoming) => requestListener?.(incoming),
  })
  wire.listen({
    onMessage(message, flow) {
      if (message.kind === 'request') servers.receive(message, flow)
      else clients.receive(message, flow)
    },
    onClosed(flow, wasOpen) {
      clients.closed(flow.connection ?? 0, wasOpen)
      if (wasOpen) closedListener?.(flow)
    },
  })

  return {
    request: clients.request,
    send: clients.send,
    onRequest(listener) {
      requestListener = listener
    },
    onClosed(listener) {
      closedListener = listener
    },
    close: wire.close,
    stop() {
      clients.stop()
      servers.stop()
    },
    figures: () => ({
      sip_transactions_client: clients.size(),
      sip_transactions_server: servers.size(),
      sip_transactions_kept: servers.kept(),
      ...counts.all(),
    }),
  }
}
