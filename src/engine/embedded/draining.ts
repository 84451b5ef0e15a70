/**
 * D248: while a node drains, new calls, registrations and OPTIONS get 503, so that phones, carriers and edge proxies go to
 * another node. Connections of phones are closed a few a second, which makes the phones connect again, elsewhere; one that
 * carries a call is kept until the call is over.
 */
import { randomBase62 } from '../../kit/ids.ts'
import type { Timer, Timers } from '../../kit/timers.ts'
import { buildResponse } from '../sip/message/response.ts'
import type { IncomingRequest } from '../sip/transaction/transactions.ts'
import type { Flow } from '../sip/transport/flow.ts'
import { readRegisterRequest } from './registrar/register-request.ts'

/** Retry-After of what a draining node refuses. */
export const retrySeconds = 30
const closedPerSecond = 10

type Deps = {
  timers: Timers
  /** Connections that peers have opened. */
  flows(): Flow[]
  /** Ids of the connections that live calls depend on. */
  connectionsInUse(): ReadonlySet<number>
  /** Carriers and proxies: their connections are not closed. */
  isShared(address: string): boolean
  close(flow: Flow): void
}

export function createDraining({ timers, flows, connectionsInUse, isShared, close }: Deps) {
  // A stateless response has the same tag when its request is retransmitted (RFC 3261, 8.2.7).
  const toTag = randomBase62(12)
  let timer: Timer | undefined

  function closeSome() {
    const inUse = connectionsInUse()
    const idle = flows().filter((flow) => !inUse.has(flow.connection ?? 0) && isOfPhone(flow))
    for (const flow of idle.slice(0, closedPerSecond)) close(flow)
    timer = timers.after(1_000, closeSome)
  }

  /** A WebSocket has one phone, which may be at the address of a carrier: the sandbox carrier is at that of this computer. */
  function isOfPhone({ transport, remote }: Flow): boolean {
    return transport === 'ws' || transport === 'wss' || !isShared(remote.address)
  }

  /** True if the request, which is outside of dialogs, was refused. */
  function refuses({ request, respond, respondOnce = respond }: IncomingRequest): boolean {
    if (!timer || !isNewWork({ request })) return false
    const headers = [['Retry-After', String(retrySeconds)]] as const
    respondOnce(buildResponse(request, 503, { headers, toTag }))
    return true
  }

  function stop() {
    timer?.cancel()
    timer = undefined
  }

  return {
    refuses,
    isOn: () => timer !== undefined,
    set(isDraining: boolean) {
      if (!isDraining) stop()
      else if (!timer) timer = timers.after(1_000, closeSome)
    },
    stop,
  }
}

/** A phone may still end its registration here. */
function isNewWork({ request }: Pick<IncomingRequest, 'request'>): boolean {
  if (request.method !== 'REGISTER') return request.method === 'INVITE' || request.method === 'OPTIONS'
  const wanted = readRegisterRequest(request)
  return wanted.kind === 'change' && wanted.offered !== undefined
}
