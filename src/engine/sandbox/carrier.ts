/**
 * The sandbox carrier: a carrier on this machine, by real SIP and real sound, so that the service can be tried
 * without one. What it does with a call goes by the number called (scenarios.ts).
 */
import type { Log } from '../../kit/log.ts'
import type { Timers } from '../../kit/timers.ts'
import { type Play, playEcho } from '../endpoint/audio/audio-source.ts'
import type { EndpointCall } from '../endpoint/call/endpoint-call.ts'
import { receiveCall } from '../endpoint/call/incoming-call.ts'
import { placeCall } from '../endpoint/call/outgoing-call.ts'
import { openStation } from '../endpoint/signalling/sip-endpoint.ts'
import type { IncomingLeg } from '../sip/dialog/leg.ts'
import { noParams } from '../sip/syntax/params.ts'
import type { Peer } from '../sip/transport/flow.ts'
import { formatHostPort } from '../sip/uri/host.ts'
import { sipUri } from '../sip/uri/uri.ts'
import { runScenario } from './run-scenario.ts'
import { scenarioFor } from './scenarios.ts'

type Settings = {
  timers: Timers
  log: Pick<Log, 'warn' | 'error'>
  host?: string
  /** At once, both ways. */
  mostCalls?: number
}

type Placing = {
  /** As the service knows it: the caller number of one of its extensions. */
  to: string
  from: { number: string; name?: string }
  /** Where the service listens. */
  server: Peer
  play?: Play
  onProgress?(status: number): void
  onAnswered?(): void
}

export async function startSandboxCarrier({ timers, log, host = '127.0.0.1', mostCalls = 200 }: Settings) {
  const station = await openStation({ host, product: 'Ramal sandbox carrier', timers, log })
  const deps = { userAgent: station.userAgent, host, timers, log }
  const calls = new Set<EndpointCall>()
  let taken = 0
  /** Of ours, while their sockets are being opened. */
  let opening = 0
  const isFull = () => calls.size + opening >= mostCalls

  function keep(call: EndpointCall) {
    calls.add(call)
    void call.ended.then(() => calls.delete(call))
  }

  function take(leg: IncomingLeg) {
    if (isFull()) return leg.refuse(503, [['Reason', 'Q.850;cause=34']])
    taken += 1
    const call = receiveCall(leg, deps)
    keep(call)
    const { uri } = leg.request
    const dialled = uri.scheme === 'sip' || uri.scheme === 'sips' ? (uri.user ?? '') : ''
    runScenario(scenarioFor(dialled).steps, call, timers).catch((error: unknown) => {
      log.error({ err: error }, 'a sandbox call stumbled')
      call.hangUp()
    })
  }

  station.userAgent.onInvite(take)

  return {
    /** For a trunk. */
    address: station.address,
    uri: `sip:${formatHostPort({ host, port: station.address.port })}`,
    calls: () => calls.size,
    callsTaken: () => taken,

    /** A call from the outside world into the service. */
    async call({ to, from, server, play = playEcho(), ...told }: Placing): Promise<EndpointCall> {
      if (isFull()) throw new Error('the sandbox carrier has no line free')
      const at = { host: server.address, port: server.port }
      const home = { host, port: station.address.port }
      opening += 1
      const call = await placeCall(
        deps,
        {
          uri: sipUri({ user: to, ...at }),
          target: { transport: 'udp', remote: server },
          from: { name: from.name, uri: sipUri({ user: from.number, ...home }), params: noParams },
          to: { name: undefined, uri: sipUri({ user: to, ...at }), params: noParams },
        },
        { play, ...told },
      ).finally(() => {
        opening -= 1
      })
      keep(call)
      return call
    },

    async stop() {
      const ending = [...calls].map((call) => {
        call.hangUp()
        return call.ended
      })
      await Promise.all(ending)
      await station.stop()
    },
  }
}
export type SandboxCarrier = Awaited<ReturnType<typeof startSandboxCarrier>>
