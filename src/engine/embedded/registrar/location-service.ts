/**
 * The location service (RFC 3261, 10): which phone each extension is bound to. REGISTERs of authenticated phones change
 * it, and every change is emitted as an event.
 */
import { createHash } from 'node:crypto'
import { type Clock, plusSeconds } from '../../../kit/clock.ts'
import type { Timers } from '../../../kit/timers.ts'
import type { Address } from '../../../sip/headers/address.ts'
import { cseq } from '../../../sip/headers/numbers.ts'
import { callId, contactInstance } from '../../../sip/headers/parties.ts'
import { firstValue, type SipRequest } from '../../../sip/message/message.ts'
import type { HeaderPairs } from '../../../sip/message/request.ts'
import { formatParams } from '../../../sip/syntax/params.ts'
import type { IncomingRequest } from '../../../sip/transaction/transactions.ts'
import { type Flow, sourceOf } from '../../../sip/transport/flow.ts'
import { sameUri } from '../../../sip/uri/compare.ts'
import { parseUri } from '../../../sip/uri/parse.ts'
import type { ExtensionName, Registration, RegistrationEvent } from '../../port.ts'
import { type Binding, isSamePhone, keyOf, ownFlow, ownText, type Phone, toRegistration } from './binding.ts'
import { createBindings } from './bindings.ts'
import { createDisplacedPhones } from './displaced-phones.ts'
import type { OfferedContact, RegisterRequest } from './register-request.ts'
import { readStoredBinding, writeStoredBinding } from './stored-binding.ts'

const maxCallIdLength = 80
const maxUserAgentLength = 120

type Deps = {
  clock: Clock
  timers: Timers
  onEvent(event: RegistrationEvent): void
  close(flow: Flow): void
  ping(flow: Flow): void
}

/** The response to a REGISTER. */
export type RegisterResponse = { status: number; reason?: string; headers?: HeaderPairs }

/** D76: phones show the reason, and stop at a 403 until their user acts. D413: the console names the newer phone. */
function displacedResponse({ userAgent = 'unknown' }: Binding): RegisterResponse {
  return {
    status: 403,
    reason: 'Registered on another phone',
    headers: [
      ['Warning', '399 registrar "Another phone uses this extension; restart this one to take over"'],
      ['X-Displaced-By', userAgent],
    ],
  }
}
/** RFC 3261, 10.3: requests with the same Call-ID count in the order of their CSeq. */
const outOfOrder: RegisterResponse = { status: 500, reason: 'CSeq out of order' }

export function createLocationService({ clock, timers, onEvent, close, ping }: Deps) {
  const bindings = createBindings({ timers, ping, onExpired: ({ extension }) => emitUnregistered(extension) })
  const displaced = createDisplacedPhones(timers)
  let displacements = 0

  /** Applies the REGISTER of an authenticated phone; `userId`: whose temporary login it authenticated with. */
  function apply(
    extension: ExtensionName,
    incoming: IncomingRequest,
    request: RegisterRequest,
    userId?: number,
  ): RegisterResponse {
    if (request.kind === 'refused') return request
    if (request.kind === 'query') return listBindings(extension)
    const current = bindings.get(extension)
    const offered = request.kind === 'change' ? request.offered : undefined
    const phone = phoneOf(incoming, offered)
    const unregisters = request.kind === 'change' && !offered
    // Once the newer phone has left, there is nothing to keep the older one away from: it returns, and refreshes.
    const isRival = current !== undefined && !isSamePhone(current, phone)
    if (!unregisters && isRival && displaced.refuses(keyOf(extension), phone)) {
      return displacedResponse(current)
    }
    const sequence = cseq(incoming.request).number
    if (current?.callId === phone.callId && sequence <= current.cseq) return outOfOrder
    const removesCurrent =
      current !== undefined &&
      (request.kind === 'clear' || request.removed.some((removed) => isContactOf(removed, current)))
    if (offered) {
      bind(
        extension,
        incoming.request,
        { ...offered, ...phone, userId },
        { current, sequence, removesCurrent },
      )
    } else if (removesCurrent || (current && current.callId === phone.callId)) {
      removeBinding(extension)
    }
    return listBindings(extension)
  }

  type Before = { current: Binding | undefined; sequence: number; removesCurrent: boolean }

  /** Binds the extension to the phone: a refresh of the same phone, or a new one that displaces the other. */
  function bind(
    extension: ExtensionName,
    request: SipRequest,
    phone: Phone & Pick<OfferedContact, 'seconds' | 'regId'> & Pick<Binding, 'userId'>,
    { current, sequence, removesCurrent }: Before,
  ) {
    const { callId, instance, contact, flow, path, regId, userId, seconds } = phone
    const userAgent = readUserAgent(request)
    const now = clock.now()
    const same = current !== undefined && (removesCurrent || isSamePhone(current, phone))
    const refreshed = same && current.callId === callId && current.userAgent === userAgent
    const binding: Binding = {
      extension: { domain: ownText(extension.domain), number: ownText(extension.number) },
      callId,
      instance,
      contact,
      flow,
      path,
      userId,
      regId,
      userAgent,
      cseq: sequence,
      registeredAt: refreshed ? current.registeredAt : now.getTime(),
      expiresAt: plusSeconds(now, seconds).getTime(),
      due: timers.now() + seconds * 1000,
    }
    displaced.readmit(keyOf(extension), callId)
    if (current && !same) displace(current, binding)
    bindings.put(binding)
    if (current && !same) closeUnshared(current)
    onEvent({ type: refreshed ? 'refreshed' : 'registered', registration: describe(binding) })
  }

  function displace(older: Binding, { userAgent, flow }: Binding) {
    displacements += 1
    const registration = describe(older)
    displaced.add(keyOf(older.extension), older, older.due)
    onEvent({ type: 'displaced', registration, by: { userAgent, address: sourceOf(flow).address } })
  }

  /** D502: the refresh of the phone was refused, not authenticated; what it comes with must be that of the registration. */
  function prolong(extension: ExtensionName, { request, flow }: IncomingRequest, seconds: number) {
    const current = bindings.get(extension)
    const due = timers.now() + seconds * 1000
    if (!current || current.due >= due || current.callId !== shorten(callId(request))) return
    if (sourceOf(current.flow).address !== sourceOf(flow).address) return
    const binding = { ...current, due, expiresAt: plusSeconds(clock.now(), seconds).getTime() }
    bindings.put(binding)
    onEvent({ type: 'prolonged', registration: describe(binding) })
  }

  /** Closes the connection of a removed phone, unless a proxy shares it with other phones. */
  function closeUnshared({ flow, path }: Binding) {
    const { connection } = flow
    if (connection === undefined || path.length > 0 || bindings.on(connection).length > 0) return
    close(flow)
  }

  function removeBinding(extension: ExtensionName): Binding | undefined {
    const removed = bindings.remove(extension)
    if (removed) emitUnregistered(extension)
    return removed
  }

  function emitUnregistered(extension: ExtensionName) {
    onEvent({ type: 'unregistered', extension })
  }

  function describe(binding: Binding): Registration {
    const displacedCallIds = displaced.callIds(keyOf(binding.extension))
    return toRegistration(binding, writeStoredBinding(binding, displacedCallIds))
  }

  /** RFC 3261, 10.3, step 8; RFC 3327: the Path is returned. */
  function listBindings(extension: ExtensionName): RegisterResponse {
    const binding = bindings.get(extension)
    if (!binding) return { status: 200 }
    const { contact, instance, regId, path, due } = binding
    const seconds = Math.max(1, Math.round((due - timers.now()) / 1000))
    const params = new Map([['expires', String(seconds)]])
    if (instance !== undefined) params.set('+sip.instance', instance)
    if (regId !== undefined) params.set('reg-id', String(regId))
    const hops = path.map((hop) => ['Path', hop] as const)
    return { status: 200, headers: [['Contact', `<${contact}>${formatParams(params)}`], ...hops] }
  }

  /** After a restart. Returns the flows of the phones that can be reached again. */
  function restore(registrations: readonly Registration[]): Flow[] {
    const flows: Flow[] = []
    for (const registration of registrations) {
      const { extension, expiresAt } = registration
      if (bindings.get(extension)) continue
      const msLeft = expiresAt.getTime() - clock.now().getTime()
      const stored = msLeft > 0 ? readStoredBinding(registration) : undefined
      if (!stored) {
        emitUnregistered(extension)
        continue
      }
      const binding = { ...stored.binding, due: timers.now() + msLeft }
      for (const id of stored.displacedCallIds) {
        displaced.restore(keyOf(extension), id, binding, binding.due)
      }
      bindings.put(binding)
      flows.push(binding.flow)
    }
    return flows
  }

  return {
    apply,
    prolong,
    restore,
    get: bindings.get,
    heldBy: bindings.heldBy,
    count: bindings.count,
    stop: bindings.stop,
    displacements: () => displacements,
    registration(extension: ExtensionName): Registration | undefined {
      const binding = bindings.get(extension)
      return binding && describe(binding)
    },
    /** Also closes the connection, which makes the phone register again with the password that is valid now. */
    forget(extension: ExtensionName) {
      displaced.forget(keyOf(extension))
      const removed = removeBinding(extension)
      if (removed) closeUnshared(removed)
    },
    onConnectionClosed(connection: number) {
      for (const { extension } of bindings.on(connection)) removeBinding(extension)
    },
  }
}

/** A REGISTER that offers no contact identifies its phone by the Call-ID alone. */
function phoneOf({ request, flow }: IncomingRequest, offered: OfferedContact | undefined): Phone {
  return {
    callId: shorten(callId(request)),
    instance: offered?.instance === undefined ? undefined : ownText(offered.instance),
    contact: ownText(offered?.contact ?? ''),
    flow: ownFlow(flow),
    path: offered?.path.map(ownText) ?? [],
  }
}

/** Whether a removed contact is that of the current binding. */
function isContactOf(removed: Address, current: Binding): boolean {
  const instance = contactInstance(removed)?.instance
  if (instance !== undefined && current.instance !== undefined) return instance === current.instance
  return sameUri(removed.uri, parseUri(current.contact))
}

/** Long Call-IDs are hashed, which bounds the memory of a binding. */
function shorten(id: string): string {
  return id.length > maxCallIdLength ? createHash('sha256').update(id).digest('base64url') : ownText(id)
}

function readUserAgent(request: SipRequest): string | undefined {
  const text = (firstValue(request, 'User-Agent') ?? '').replace(/\p{C}+/gu, ' ').trim()
  return text === '' ? undefined : ownText(text.slice(0, maxUserAgentLength).toWellFormed())
}
