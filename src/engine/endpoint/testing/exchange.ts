/** A server for phones under test: our registrar on real sockets, and a user agent that calls what is registered. */

import { createSecretKey } from 'node:crypto'
import { systemClock } from '../../../kit/clock.ts'
import { createLog } from '../../../kit/log.ts'
import { systemTimers } from '../../../kit/timers.ts'
import { createRegistrar } from '../../embedded/registrar/registrar.ts'
import type { RegistrationEvent } from '../../port.ts'
import type { HeaderPairs } from '../../sip/message/request.ts'
import { noParams } from '../../sip/syntax/params.ts'
import { createTransactions } from '../../sip/transaction/transaction-layer.ts'
import type { Flow } from '../../sip/transport/flow.ts'
import { createTransports } from '../../sip/transport/transports.ts'
import { sipUri } from '../../sip/uri/uri.ts'
import { createUserAgent } from '../../sip/user-agent/user-agent.ts'
import { echoSource } from '../audio/audio-source.ts'
import { placeCall } from '../call/outgoing-call.ts'

const host = '127.0.0.1'
export const domain = 'acme.example'

export async function openExchange(password = 'right-password') {
  const timers = systemTimers
  const log = createLog('silent')
  const events: RegistrationEvent[] = []
  const flows = new Map<number, Flow>()
  const transports = createTransports({
    host,
    advertised: host,
    ports: { udp: 0, tcp: 0, ws: 0 },
    timers,
    log,
  })
  await transports.start()
  const transactions = createTransactions({ transports, timers, log })
  const registrar = createRegistrar({
    host: {
      credentials: ({ number }) => (number === '1000' ? { password } : undefined),
      onRegistration: (event) => void events.push(event),
    },
    digestKey: createSecretKey(Buffer.alloc(32, 1)),
    clock: systemClock,
    timers,
    log,
    guard: { succeeded() {}, failed() {} },
    close: transactions.close,
    ping() {},
  })
  const userAgent = createUserAgent({
    transactions: {
      ...transactions,
      onClosed: (listener) =>
        transactions.onClosed((flow) => {
          listener(flow)
          registrar.onConnectionClosed(flow)
        }),
    },
    timers,
    contact: ({ transport }) => sipUri(transports.sentBy(transport)),
    product: 'exchange',
    log,
  })
  userAgent.onRequest((incoming) => {
    if (incoming.flow.connection !== undefined) flows.set(incoming.flow.connection, incoming.flow)
    if (incoming.request.method === 'REGISTER') registrar.handle(incoming)
  })
  const extension = { domain, number: '1000' }

  return {
    events,
    userAgent,
    ports: transports.ports(),
    isRegistered: () => registrar.registration(extension) !== undefined,
    /** Rings the phone that is registered, and echoes what it says. */
    async ring(headers: HeaderPairs = []) {
      const found = registrar.find(extension)
      if (!found) throw new Error('no phone is registered')
      const caller = { name: 'Ana', uri: sipUri({ user: '1001', host: domain }), params: noParams }
      const called = { name: undefined, uri: sipUri({ user: '1000', host: domain }), params: noParams }
      const calling = { uri: found.contact, target: found.target, from: caller, to: called, headers }
      return await placeCall({ userAgent, host, timers, log }, calling, { play: echoSource() })
    },
    cutConnections() {
      for (const flow of flows.values()) transports.close(flow)
      flows.clear()
    },
    async stop() {
      registrar.stop()
      transactions.stop()
      await transports.stop()
    },
  }
}
export type Exchange = Awaited<ReturnType<typeof openExchange>>
