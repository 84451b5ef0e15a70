/** The SIP stack on open transports: the transactions and a user agent. */
import type { Log } from '../../kit/process/log.ts'
import type { Timers } from '../../kit/timers.ts'
import { noParams } from '../syntax/params.ts'
import { createTransactions } from '../transaction/transaction-layer.ts'
import type { Flow, Target } from '../transport/flow.ts'
import type { Wire } from '../transport/transports.ts'
import { sipUri, type Uri } from '../uri/uri.ts'
import { createUserAgent } from './user-agent.ts'

type Deps = {
  transports: Wire & { stop(): Promise<void> }
  /** The user part of our Contact. */
  user?: string | undefined
  product: string
  timers: Timers
  log: Pick<Log, 'warn' | 'error'>
  /** A connection was closed; the user agent knows already. */
  onClosed?: ((flow: Flow) => void) | undefined
}

export function createSipStack({ transports, user, product, timers, log, onClosed }: Deps) {
  const transactions = createTransactions({ transports, timers, log })
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
    log,
    contact,
    product,
  })

  function contact({ transport }: Target): Uri {
    const params = transport === 'udp' ? noParams : new Map([['transport', transport]])
    return sipUri({ user, ...transports.sentBy(transport), params })
  }

  return {
    userAgent,
    transactions,
    contact,
    async stop() {
      transactions.stop()
      await transports.stop()
    },
  }
}
