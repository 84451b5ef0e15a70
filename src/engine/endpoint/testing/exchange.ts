/** A server for phones under test: our registrar on real sockets, and a user agent that calls the registered phone. */
import { createSecretKey } from 'node:crypto'
import { systemClock } from '../../../kit/clock.ts'
import { createLog } from '../../../kit/process/log.ts'
import { systemTimers } from '../../../kit/timers.ts'
import { createDigestServer } from '../../../sip/digest/server.ts'
import type { HeaderPairs } from '../../../sip/message/request.ts'
import { noParams } from '../../../sip/syntax/params.ts'
import type { Flow } from '../../../sip/transport/flow.ts'
import { createTransports } from '../../../sip/transport/transports.ts'
import { sipUri } from '../../../sip/uri/uri.ts'
import { createSipStack } from '../../../sip/user-agent/sip-stack.ts'
import { createExtensionRates } from '../../embedded/guard/extension-rates.ts'
import { createFailureBudgets } from '../../embedded/guard/failure-budgets.ts'
import { createRegistrar } from '../../embedded/registrar/registrar.ts'
import type { RegistrationEvent } from '../../port.ts'
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
  const { userAgent, transactions, stop } = createSipStack({
    transports,
    product: 'exchange',
    timers,
    log,
    onClosed: (flow) => registrar.onConnectionClosed(flow),
  })
  const registrar = createRegistrar({
    host: {
      credentials: ({ number }) => (number === '1000' ? { password } : undefined),
      onRegistration: (event) => void events.push(event),
    },
    digest: createDigestServer({
      key: createSecretKey(Buffer.alloc(32, 1)),
      clock: systemClock,
      nonceSeconds: 300,
      nonces: 100,
      algorithms: ['MD5'],
    }),
    clock: systemClock,
    timers,
    log,
    guard: { succeeded() {}, failed() {} },
    budgets: createFailureBudgets({ timers }),
    rates: createExtensionRates({ timers }),
    prove() {},
    close: transactions.close,
    ping() {},
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
    /** Calls the registered phone and echoes its audio. */
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
      await stop()
    },
  }
}
export type Exchange = Awaited<ReturnType<typeof openExchange>>
