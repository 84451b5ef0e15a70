/**
 * D248, D502: while a node drains, phones, carriers and edge proxies are sent to other nodes by 503, and connections of
 * phones are closed a few a second; one that carries a call is kept until the call is over. A phone that has no other
 * server comes back: it is registered for a short time. Calls of and for the phones that are here go on.
 *
 *   REGISTER ──503──▶ refused ──a newer REGISTER──▶ registered at another node? ──no──▶ stays here
 *                        ▲                                       └──yes, a proxy tried this node first──┐
 *                        └──────────────────────────────────────────────────────────────────────────────┘
 */
import { randomBase62 } from '../../kit/ids.ts'
import type { Timer, Timers } from '../../kit/timers.ts'
import { cseq } from '../../sip/headers/numbers.ts'
import { callId } from '../../sip/headers/parties.ts'
import type { SipRequest } from '../../sip/message/message.ts'
import { buildResponse } from '../../sip/message/response.ts'
import type { IncomingRequest } from '../../sip/transaction/transactions.ts'
import type { Flow } from '../../sip/transport/flow.ts'
import type { ExtensionName, RegistrationEvent } from '../port.ts'
import { createRecentMap } from './guard/recent-map.ts'
import { keyOf } from './registrar/binding.ts'
import { readRegisterRequest } from './registrar/register-request.ts'

/** Retry-After of what a draining node refuses. */
export const retrySeconds = 30
/** Retry-After of a refused REGISTER: short, because a phone with one server must come back; a phone with others ignores it. */
const registerRetrySeconds = 5
/** A newer REGISTER of the phone that comes later than this: it found no other server. */
const returnMs = 3_000
/** Real phones come back after 5 s to a minute, whatever Retry-After says. */
const keptSeconds = 120
const maxRefused = 20_000
const closedPerSecond = 10

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
  /** The extension that a REGISTER names, not authenticated. */
  extensionOf(request: SipRequest): ExtensionName | undefined
  /** The refresh of the registration was refused: the phone stays reachable until it comes back. */
  keepRegistration(extension: ExtensionName, incoming: IncomingRequest, seconds: number): void
  /** Whether the phone of an extension is registered at another node. */
  isElsewhere(extension: ExtensionName): Promise<boolean>
  register(incoming: IncomingRequest): void
}

export function createDraining(deps: Deps) {
  const { timers, flows, connectionsInUse, isShared, isFromNode, close } = deps
  const { extensionOf, keepRegistration, isElsewhere, register } = deps
  // A stateless response has the same tag when its request is retransmitted (RFC 3261, 8.2.7).
  const toTag = randomBase62(12)
  let timer: Timer | undefined
  /** The first REGISTER of a phone that was refused, by Call-ID. */
  let refused = createRecentMap<{ at: number; cseq: number }>(maxRefused)
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

  /** True if the request, which is outside of dialogs, was refused, or will be answered. */
  function refuses(incoming: IncomingRequest): boolean {
    if (!timer || !isForOthers(incoming)) return false
    const { request } = incoming
    if (request.method === 'REGISTER' && hasComeBack(request)) void registerUnlessElsewhere(incoming)
    else refuse(incoming)
    return true
  }

  function refuse(incoming: IncomingRequest) {
    const { request, respond, respondOnce = respond } = incoming
    const isRegister = request.method === 'REGISTER'
    const extension = isRegister ? extensionOf(request) : undefined
    if (extension) keepRegistration(extension, incoming, keptSeconds)
    const headers = [['Retry-After', String(isRegister ? registerRetrySeconds : retrySeconds)]] as const
    respondOnce(buildResponse(request, 503, { headers, toTag }))
  }

  async function registerUnlessElsewhere(incoming: IncomingRequest) {
    const extension = extensionOf(incoming.request)
    // If nobody can tell, a phone that is registered twice does less harm than one that cannot be reached.
    const hasMoved = extension !== undefined && (await isElsewhere(extension).catch(() => false))
    if (hasMoved && timer) refuse(incoming)
    else register(incoming)
  }

  /** Requests that another node can serve as well. A phone may still end its registration here. */
  function isForOthers({ request, flow }: IncomingRequest): boolean {
    if (request.method === 'OPTIONS') return true
    if (request.method === 'INVITE') return isShared(flow.remote.address) && !isFromNode(request)
    if (request.method !== 'REGISTER') return false
    const wanted = readRegisterRequest(request)
    return wanted.kind === 'change' && wanted.offered !== undefined
  }

  function hasComeBack(request: SipRequest): boolean {
    const [id, now, { number }] = [callId(request), timers.now(), cseq(request)]
    const before = refused.get(id)
    if (!before) refused.set(id, { at: now, cseq: number })
    // A retransmission has the same number.
    return before !== undefined && number > before.cseq && now - before.at >= returnMs
  }

  function stop() {
    timer?.cancel()
    timer = undefined
    refused = createRecentMap(maxRefused)
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
      else if (event.type === 'registered' || event.type === 'refreshed')
        staying.add(keyOf(event.registration.extension))
    },
    /** Phones that came back and found no other server. */
    staying: () => staying.size,
    stop,
  }
}
