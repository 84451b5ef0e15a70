/**
 * The sandbox carrier: a telephone company simulated on this machine with real SIP and real audio, to try the service
 * without a contract. The called number selects what it does with a call (scenarios.ts).
 */
import type { Log } from '../../kit/process/log.ts'
import type { Timers } from '../../kit/timers.ts'
import type { IncomingLeg } from '../../sip/dialog/leg.ts'
import { noParams } from '../../sip/syntax/params.ts'
import type { Peer } from '../../sip/transport/flow.ts'
import { formatHostPort } from '../../sip/uri/host.ts'
import { sipUri } from '../../sip/uri/uri.ts'
import { type AudioSource, echoSource } from '../endpoint/audio/audio-source.ts'
import type { EndpointCall } from '../endpoint/call/endpoint-call.ts'
import { receiveCall } from '../endpoint/call/incoming-call.ts'
import { placeCall } from '../endpoint/call/outgoing-call.ts'
import { openSipEndpoint } from '../endpoint/signalling/sip-endpoint.ts'
import { runScenario } from './run-scenario.ts'
import { scenarioFor } from './scenarios.ts'

type Settings = {
  timers: Timers
  log: Pick<Log, 'warn' | 'error'>
  host?: string
  /** At the same time, in both directions. */
  maxCalls?: number
}

type SandboxCall = {
  /** The caller-ID of an extension of the service. */
  to: string
  from: { number: string; name?: string }
  /** The SIP address of the service. */
  server: Peer
  play?: AudioSource
  onProgress?(status: number): void
  onAnswered?(): void
}

export async function startSandboxCarrier({ timers, log, host = '127.0.0.1', maxCalls = 200 }: Settings) {
  const endpoint = await openSipEndpoint({ host, product: 'Ramal sandbox carrier', timers, log })
  const deps = { userAgent: endpoint.userAgent, host, timers, log }
  const calls = new Set<EndpointCall>()
  let received = 0
  /** Outgoing calls whose sockets are being opened. */
  let opening = 0
  const isFull = () => calls.size + opening >= maxCalls

  function track(call: EndpointCall) {
    calls.add(call)
    void call.ended.then(() => calls.delete(call))
  }

  function receive(leg: IncomingLeg) {
    if (isFull()) return leg.refuse(503, [['Reason', 'Q.850;cause=34']])
    received += 1
    const call = receiveCall(leg, deps)
    track(call)
    const { uri } = leg.request
    const dialled = uri.scheme === 'sip' || uri.scheme === 'sips' ? (uri.user ?? '') : ''
    runScenario(scenarioFor(dialled).steps, call, timers).catch((error: unknown) => {
      log.error({ err: error }, 'a sandbox call failed')
      call.hangUp()
    })
  }

  endpoint.userAgent.onInvite(receive)

  return {
    /** To be used as the address of a trunk. */
    address: endpoint.address,
    uri: `sip:${formatHostPort({ host, port: endpoint.address.port })}`,
    calls: () => calls.size,
    callsReceived: () => received,

    /** Places a call to the service. */
    async call({
      to,
      from,
      server,
      play = echoSource(),
      onProgress,
      onAnswered,
    }: SandboxCall): Promise<EndpointCall> {
      if (isFull()) throw new Error('the sandbox carrier has no free channel')
      const serverHost = { host: server.address, port: server.port }
      const ourHost = { host, port: endpoint.address.port }
      opening += 1
      const call = await placeCall(
        deps,
        {
          uri: sipUri({ user: to, ...serverHost }),
          target: { transport: 'udp', remote: server },
          from: { name: from.name, uri: sipUri({ user: from.number, ...ourHost }), params: noParams },
          to: { name: undefined, uri: sipUri({ user: to, ...serverHost }), params: noParams },
        },
        {
          play,
          ...(onProgress && { onProgress }),
          ...(onAnswered && { onAnswered }),
        },
      ).finally(() => {
        opening -= 1
      })
      track(call)
      return call
    },

    async stop() {
      const ending = [...calls].map((call) => {
        call.hangUp()
        return call.ended
      })
      await Promise.all(ending)
      await endpoint.stop()
    },
  }
}
export type SandboxCarrier = Awaited<ReturnType<typeof startSandboxCarrier>>
