/** Where phones are, changed by REGISTERs whose sender has been believed; every change is told. */
import { createHash } from 'node:crypto'
import { type Clock, plusSeconds } from '../../../kit/clock.ts'
import type { Timers } from '../../../kit/timers.ts'
import type { ExtensionName, Registration, RegistrationEvent } from '../../port.ts'
import type { Address } from '../../sip/headers/address.ts'
import { cseq } from '../../sip/headers/numbers.ts'
import { callId, contactInstance } from '../../sip/headers/parties.ts'
import { firstValue, type SipRequest } from '../../sip/message/message.ts'
import type { HeaderPairs } from '../../sip/message/request.ts'
import { formatParams } from '../../sip/syntax/params.ts'
import type { IncomingRequest } from '../../sip/transaction/transactions.ts'
import type { Flow } from '../../sip/transport/flow.ts'
import { sameUri } from '../../sip/uri/compare.ts'
import { parseUri } from '../../sip/uri/parse.ts'
import { type Binding, isSamePhone, keyOf, ownFlow, ownText, type Phone, toRegistration } from './binding.ts'
import { createBindings } from './bindings.ts'
import { createDisplaced } from './displaced.ts'
import { readWay, writeWay } from './stored-binding.ts'
import type { Place, Wish } from './register-request.ts'

const longestCallId = 80
const longestUserAgent = 120

type Deps = {
  clock: Clock
  timers: Timers
  tell(event: RegistrationEvent): void
  close(flow: Flow): void
  ping(flow: Flow): void
}

/** The answer to a REGISTER. */
export type Outcome = { status: number; reason?: string; headers?: HeaderPairs }

/** Phones show the reason, and stop at a 403 until their user acts. */
const elsewhere: Outcome = {
  status: 403,
  reason: 'Registered on another phone',
  headers: [['Warning', '399 registrar "Another phone uses this extension; restart this one to take over"']],
}
/** RFC 3261, 10.3: of two requests the later one counts, whichever comes first. */
const outOfOrder: Outcome = { status: 500, reason: 'CSeq out of order' }

export function createLocations({ clock, timers, tell, close, ping }: Deps) {
  const bindings = createBindings({ timers, ping, expired: ({ extension }) => tellGone(extension) })
  const displaced = createDisplaced(timers)
  let displacements = 0

  function apply(extension: ExtensionName, incoming: IncomingRequest, wish: Wish): Outcome {
    if (wish.kind === 'refused') return wish
    if (wish.kind === 'ask') return listing(extension)
    const held = bindings.get(extension)
    const place = wish.kind === 'change' ? wish.place : undefined
    const phone = phoneOf(incoming, place)
    const leaves = wish.kind === 'change' && !place
    if (!leaves && displaced.refuses(keyOf(extension), phone)) return elsewhere
    const sequence = cseq(incoming.request).number
    if (held?.callId === phone.callId && sequence <= held.cseq) return outOfOrder
    const takesBack =
      held !== undefined && (wish.kind === 'clear' || wish.gone.some((gone) => names(gone, held)))
    if (place) settle(extension, incoming.request, { ...place, ...phone }, { held, sequence, takesBack })
    else if (takesBack || (held && held.callId === phone.callId)) removeBinding(extension)
    return listing(extension)
  }

  type Before = { held: Binding | undefined; sequence: number; takesBack: boolean }

  function settle(
    extension: ExtensionName,
    request: SipRequest,
    phone: Phone & Pick<Place, 'seconds' | 'regId'>,
    { held, sequence, takesBack }: Before,
  ) {
    const { callId, instance, contact, flow, path, regId, seconds } = phone
    const userAgent = readUserAgent(request)
    const now = clock.now()
    const same = held !== undefined && (takesBack || isSamePhone(held, phone))
    const refreshed = same && held.callId === callId && held.userAgent === userAgent
    const binding: Binding = {
      extension: { domain: ownText(extension.domain), number: ownText(extension.number) },
      callId,
      instance,
      contact,
      flow,
      path,
      regId,
      userAgent,
      cseq: sequence,
      registeredAt: refreshed ? held.registeredAt : now.getTime(),
      expiresAt: plusSeconds(now, seconds).getTime(),
      due: timers.now() + seconds * 1000,
    }
    if (held && !same) displace(held, binding)
    bindings.put(binding)
    if (held && !same) closeUnshared(held)
    tell({ type: refreshed ? 'refreshed' : 'registered', registration: describe(binding) })
  }

  function displace(older: Binding, { userAgent, flow }: Binding) {
    displacements += 1
    const registration = describe(older)
    displaced.add(keyOf(older.extension), older, older.due)
    tell({ type: 'displaced', registration, by: { userAgent, address: flow.remote.address } })
  }

  /** A proxy's connection serves phones that nobody displaced. */
  function closeUnshared({ flow, path }: Binding) {
    const { connection } = flow
    if (connection === undefined || path.length > 0 || bindings.on(connection).length > 0) return
    close(flow)
  }

  function removeBinding(extension: ExtensionName): Binding | undefined {
    const gone = bindings.remove(extension)
    if (gone) tellGone(extension)
    return gone
  }

  function tellGone(extension: ExtensionName) {
    tell({ type: 'unregistered', extension })
  }

  function describe(binding: Binding): Registration {
    return toRegistration(binding, writeWay(binding, displaced.callIds(keyOf(binding.extension))))
  }

  /** RFC 3261, 10.3, step 8; RFC 3327: the Path is told back. */
  function listing(extension: ExtensionName): Outcome {
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

  /** The ways that are open again. */
  function restore(registrations: readonly Registration[]): Flow[] {
    const flows: Flow[] = []
    for (const registration of registrations) {
      const { extension, expiresAt } = registration
      if (bindings.get(extension)) continue
      const left = expiresAt.getTime() - clock.now().getTime()
      const restored = left > 0 ? readWay(registration) : undefined
      if (!restored) {
        tellGone(extension)
        continue
      }
      const binding = { ...restored.binding, due: timers.now() + left }
      for (const id of restored.out) displaced.restore(keyOf(extension), id, binding, binding.due)
      bindings.put(binding)
      flows.push(binding.flow)
    }
    return flows
  }

  return {
    apply,
    restore,
    get: bindings.get,
    count: bindings.count,
    stop: bindings.stop,
    displacements: () => displacements,
    registration(extension: ExtensionName): Registration | undefined {
      const binding = bindings.get(extension)
      return binding && describe(binding)
    },
    /** Its connection goes too: the phone then comes again, and is asked for the password that holds now. */
    forget(extension: ExtensionName) {
      displaced.forget(keyOf(extension))
      const gone = removeBinding(extension)
      if (gone) closeUnshared(gone)
    },
    connectionClosed(connection: number) {
      for (const { extension } of bindings.on(connection)) removeBinding(extension)
    },
  }
}

/** Without a place it is not bound, and known by its Call-ID alone. */
function phoneOf({ request, flow }: IncomingRequest, place: Place | undefined): Phone {
  return {
    callId: shorten(callId(request)),
    instance: place?.instance === undefined ? undefined : ownText(place.instance),
    contact: ownText(place?.contact ?? ''),
    flow: ownFlow(flow),
    path: place?.path.map(ownText) ?? [],
  }
}

/** Whether a contact that is taken back is the one we hold. */
function names(gone: Address, held: Binding): boolean {
  const instance = contactInstance(gone)?.instance
  if (instance !== undefined && held.instance !== undefined) return instance === held.instance
  return sameUri(gone.uri, parseUri(held.contact))
}

/** Whoever likes long ids must not fill our memory with them. */
function shorten(id: string): string {
  return id.length > longestCallId ? createHash('sha256').update(id).digest('base64url') : ownText(id)
}

function readUserAgent(request: SipRequest): string | undefined {
  const text = (firstValue(request, 'User-Agent') ?? '').replace(/\p{C}+/gu, ' ').trim()
  return text === '' ? undefined : ownText(text.slice(0, longestUserAgent).toWellFormed())
}
