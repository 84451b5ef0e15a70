/** The binding of an extension to its phone. Thousands are held at once, so each is small and keeps no part of a message alive. */

import { defined } from '../../../kit/defined.ts'
import { type Flow, sourceOf } from '../../../sip/transport/flow.ts'
import type { ExtensionName, Registration } from '../../port.ts'

/** What distinguishes one phone from another. */
export type Phone = {
  callId: string
  /** RFC 5626: the instance id of the device, if it has one. */
  instance: string | undefined
  /** As the phone wrote it, because it compares the response with it. */
  contact: string
  /** The flow of its REGISTER. Calls are sent over the same flow, which passes any NAT. */
  flow: Flow
  /** RFC 3327: the proxies in between, as values of Route headers. */
  path: readonly string[]
}

export type Binding = Phone & {
  extension: ExtensionName
  /** Whose temporary login it was made with. */
  userId: number | undefined
  regId: number | undefined
  cseq: number
  userAgent: string | undefined
  /** Wall-clock times, for display. */
  registeredAt: number
  expiresAt: number
  /** Expiry in time of the timers, which does not jump when the clock is set. */
  due: number
}

export function keyOf({ number, domain }: ExtensionName): string {
  return `${number}@${domain}`
}

export function toRegistration(binding: Binding, state: string): Registration {
  return {
    extension: binding.extension,
    registeredAt: new Date(binding.registeredAt),
    expiresAt: new Date(binding.expiresAt),
    userAgent: binding.userAgent,
    state,
  }
}

/**
 * Whether both are one phone. Private addresses occur in many networks, so a contact identifies a phone only together
 * with the public address it came from. Behind a proxy many phones share a connection.
 */
export function isSamePhone(one: Phone, other: Phone): boolean {
  if (one.callId === other.callId) return true
  if (one.instance !== undefined && other.instance !== undefined) return one.instance === other.instance
  const connection = one.path.length + other.path.length === 0 ? one.flow.connection : undefined
  if (connection !== undefined && connection === other.flow.connection) return true
  return one.contact === other.contact && sourceOf(one.flow).address === sourceOf(other.flow).address
}

/** A copy: a slice of a message would keep the whole message in memory. */
export function ownText(text: string): string {
  return Buffer.from(text).toString()
}

export function ownFlow({ transport, local, remote, connection, source }: Flow): Flow {
  return {
    transport,
    local: { address: ownText(local.address), port: local.port },
    remote: { address: ownText(remote.address), port: remote.port },
    ...defined({ connection }),
    ...(source && { source: { address: ownText(source.address), port: source.port } }),
  }
}
