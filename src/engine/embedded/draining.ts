/**
 * D248, D502: while a node drains, phones, carriers and edge proxies are sent to other nodes by 503, and connections of
 * phones are closed a few a second; one that carries a call is kept until the call is over. A phone that has no other
 * server comes back: it is registered for a short time. Calls of and for the phones that are here go on.
 */
import { randomBase62 } from '../../kit/ids.ts'
import type { Timer, Timers } from '../../kit/timers.ts'
import { callId } from '../../sip/headers/parties.ts'
import type { SipRequest } from '../../sip/message/message.ts'
import { buildResponse } from '../../sip/message/response.ts'
import type { IncomingRequest } from '../../sip/transaction/transactions.ts'
import type { Flow } from '../../sip/transport/flow.ts'
import type { RegistrationEvent } from '../port.ts'
import { createRecentMap } from './guard/recent-map.ts'
import { keyOf } from './registrar/binding.ts'
import { readRegisterRequest } from './registrar/register-request.ts'

/** Retry-After of what a draining node refuses. */
export const retrySeconds = 30
const closedPerSecond = 10
/** A REGISTER that comes again later than this is no retransmission: its phone found no other server. */
const returnMs = 10_000
const maxRefused = 20_000

type Deps = {
  timers: Timers
  /** Connections that peers have opened. */
  flows(): Flow[]
  /** Ids of the connections that live calls depend on. */
  connectionsInUse(): ReadonlySet<number>
  /** Carriers and proxies: their connections are not closed. */
  isShared(address: string): boolean
  isFromNode(request: SipRequest): boolean
  close(flow: Flow): void
}

export function createDraining({ timers, flows, connectionsInUse, isShared, isFromNode, close }: Deps) {
  // A stateless response has the same tag when its request is retransmitted (RFC 3261, 8.2.7).
  const toTag = randomBase62(12)
  let timer: Timer | undefined
  /** When the REGISTER of a phone was refused first, by Call-ID. */
  let refusedAt = createRecentMap<number>(maxRefused)
  /** Extensions whose phones came back. */
  const staying = new Set<string>()

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
  function refuses(incoming: IncomingRequest): boolean {
    if (!timer || !isForOthers(incoming)) return false
    const { request, respond, respondOnce = respond } = incoming
    const headers = [['Retry-After', String(retrySeconds)]] as const
    respondOnce(buildResponse(request, 503, { headers, toTag }))
    return true
  }

  /** Requests that another node can serve as well. A phone may still end its registration here. */
  function isForOthers({ request, flow }: IncomingRequest): boolean {
    if (request.method === 'OPTIONS') return true
    if (request.method === 'INVITE') return isShared(flow.remote.address) && !isFromNode(request)
    if (request.method !== 'REGISTER') return false
    const wanted = readRegisterRequest(request)
    return wanted.kind === 'change' && wanted.offered !== undefined && !hasComeBack(callId(request))
  }

  function hasComeBack(id: string): boolean {
    const at = refusedAt.get(id)
    if (at === undefined) refusedAt.set(id, timers.now())
    return at !== undefined && timers.now() - at >= returnMs
  }

  function stop() {
    timer?.cancel()
    timer = undefined
    refusedAt = createRecentMap(maxRefused)
    staying.clear()
  }

  return {
    refuses,
    isOn: () => timer !== undefined,
    set(isDraining: boolean) {
      if (!isDraining) stop()
      else if (!timer) timer = timers.after(1_000, closeSome)
    },
    onRegistration(event: RegistrationEvent) {
      if (!timer) return
      if (event.type === 'unregistered') staying.delete(keyOf(event.extension))
      else if (event.type !== 'displaced') staying.add(keyOf(event.registration.extension))
    },
    /** Phones that came back and found no other server. */
    staying: () => staying.size,
    stop,
  }
}
