/**
 * The bindings, one for each extension: found by extension and by connection, removed when they expire, and kept
 * reachable through NAT. One timer, which fires every second while there are bindings, serves them all.
 */
import type { Timer, Timers } from '../../../kit/timers.ts'
import type { Flow } from '../../../sip/transport/flow.ts'
import { parseUri } from '../../../sip/uri/parse.ts'
import type { ExtensionName } from '../../port.ts'
import { type Binding, keyOf } from './binding.ts'

/** NAT routers drop a UDP mapping that was unused for a minute, some after half a minute. */
const pingSeconds = 30

type Deps = {
  timers: Timers
  onExpired(binding: Binding): void
  ping(flow: Flow): void
}

export function createBindings({ timers, onExpired, ping }: Deps) {
  const byKey = new Map<string, Binding>()
  const byConnection = createIndex()
  /** By the user whose temporary login the phone registered with. */
  const byUser = createIndex()
  const ends = createSlots()
  const pings = createSlots()
  /** The slot at which the expiry of a binding is checked; a refresh does not move it. */
  const endSlots = new Map<string, number>()
  const pinged = new Set<string>()
  let timer: Timer | undefined
  let second = secondNow()

  function secondNow(): number {
    return Math.floor(timers.now() / 1000)
  }

  function put(binding: Binding) {
    const key = keyOf(binding.extension)
    unlink(key)
    byKey.set(key, binding)
    link(key, binding)
    planEnd(key, binding)
    if (needsPing(binding) && !pinged.has(key)) {
      pinged.add(key)
      pings.add(secondNow() + pingSeconds, key)
    }
    if (!timer) {
      second = secondNow()
      timer = timers.after(1000, tick)
    }
  }

  function planEnd(key: string, { due }: Binding) {
    const slot = Math.max(Math.ceil(due / 1000), secondNow() + 1)
    const planned = endSlots.get(key)
    if (planned !== undefined && planned <= slot) return
    endSlots.set(key, slot)
    ends.add(slot, key)
  }

  function link(key: string, { flow: { connection }, userId }: Binding) {
    if (connection !== undefined) byConnection.add(connection, key)
    if (userId !== undefined) byUser.add(userId, key)
  }

  function unlink(key: string) {
    const { flow, userId } = byKey.get(key) ?? {}
    if (flow?.connection !== undefined) byConnection.delete(flow.connection, key)
    if (userId !== undefined) byUser.delete(userId, key)
  }

  const bindingsOf = (keys: Iterable<string>) => [...keys].flatMap((key) => byKey.get(key) ?? [])

  function remove(extension: ExtensionName): Binding | undefined {
    const key = keyOf(extension)
    const binding = byKey.get(key)
    unlink(key)
    byKey.delete(key)
    if (byKey.size === 0) clear()
    return binding
  }

  /** The event loop may be late: no second is skipped. */
  function tick() {
    timer = timers.after(1000, tick)
    const now = secondNow()
    for (; second <= now; second++) {
      for (const key of ends.take(second)) endAt(second, key)
      for (const key of pings.take(second)) pingAt(now, key)
    }
  }

  function endAt(slot: number, key: string) {
    // Replaced by an earlier slot.
    if (endSlots.get(key) !== slot) return
    endSlots.delete(key)
    const binding = byKey.get(key)
    if (!binding) return
    if (binding.due > timers.now()) return planEnd(key, binding)
    remove(binding.extension)
    onExpired(binding)
  }

  function pingAt(now: number, key: string) {
    const binding = byKey.get(key)
    if (!binding || !needsPing(binding)) return pinged.delete(key)
    ping(binding.flow)
    return pings.add(now + pingSeconds, key)
  }

  function clear() {
    timer?.cancel()
    timer = undefined
    ends.clear()
    pings.clear()
    endSlots.clear()
    pinged.clear()
  }

  return {
    get: (extension: ExtensionName) => byKey.get(keyOf(extension)),
    put,
    remove,
    on: (connection: number): Binding[] => bindingsOf(byConnection.get(connection)),
    heldBy: (userId: number): Binding[] => bindingsOf(byUser.get(userId)),
    count: () => byKey.size,
    stop: clear,
  }
}

/** Behind NAT: the phone's contact is not where its packets come from. */
function needsPing({ flow, contact, path }: Binding): boolean {
  // A proxy in between keeps its own way to the phone open.
  if (flow.transport !== 'udp' || path.length > 0) return false
  const uri = parseUri(contact)
  if (uri.scheme === 'tel' || uri.scheme === 'other') return false
  return uri.host !== flow.remote.address || (uri.port ?? 5060) !== flow.remote.port
}

/** Sets of keys by a number. */
function createIndex() {
  const sets = new Map<number, Set<string>>()
  return {
    get: (id: number): Iterable<string> => sets.get(id) ?? [],
    add(id: number, key: string) {
      const keys = sets.get(id)
      if (keys) keys.add(key)
      else sets.set(id, new Set([key]))
    },
    delete(id: number, key: string) {
      const keys = sets.get(id)
      keys?.delete(key)
      if (keys?.size === 0) sets.delete(id)
    },
  }
}

/** Keys by the second they are due. */
function createSlots() {
  const slots = new Map<number, string[]>()
  return {
    add(second: number, key: string) {
      const keys = slots.get(second)
      if (keys) keys.push(key)
      else slots.set(second, [key])
    },
    take(second: number): string[] {
      const keys = slots.get(second) ?? []
      slots.delete(second)
      return keys
    },
    clear: () => slots.clear(),
  }
}
