/** Where one phone is. Ten thousand are held at once, so each holds little, and nothing of the message it came in. */
import type { ExtensionName, Registration } from '../../port.ts'
import type { Flow } from '../../sip/transport/flow.ts'

/** What tells one phone from another. */
export type Phone = {
  callId: string
  /** RFC 5626: the device's own name, if it has one. */
  instance: string | undefined
  /** As the phone wrote it; it compares our answer with it. */
  contact: string
  /** The way its REGISTER came, by which calls go back, through any NAT between. */
  flow: Flow
  /** RFC 3327: the proxies between, as Route headers name them. */
  path: readonly string[]
}

export type Binding = Phone & {
  extension: ExtensionName
  regId: number | undefined
  cseq: number
  userAgent: string | undefined
  /** Of the clock on the wall, for others to see. */
  registeredAt: number
  expiresAt: number
  /** Of the timers: a clock that is set must not end registrations. */
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
 * Whether both are one phone. Private addresses are the same in many homes: a contact tells only together with
 * the public address it came from. Behind a proxy many phones share a connection.
 */
export function isSamePhone(one: Phone, other: Phone): boolean {
  if (one.callId === other.callId) return true
  if (one.instance !== undefined && other.instance !== undefined) return one.instance === other.instance
  const connection = one.path.length + other.path.length === 0 ? one.flow.connection : undefined
  if (connection !== undefined && connection === other.flow.connection) return true
  return one.contact === other.contact && one.flow.remote.address === other.flow.remote.address
}

/** A text of its own: a piece of a message would keep the whole message in memory. */
export function ownText(text: string): string {
  return Buffer.from(text).toString()
}

export function ownFlow({ transport, local, remote, connection }: Flow): Flow {
  return {
    transport,
    local: { address: ownText(local.address), port: local.port },
    remote: { address: ownText(remote.address), port: remote.port },
    ...(connection !== undefined && { connection }),
  }
}
