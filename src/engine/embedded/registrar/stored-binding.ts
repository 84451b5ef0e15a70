/** What is kept of a binding upstairs, so that a phone is found again after a restart. */
import { isIP } from 'node:net'
import type { Registration } from '../../port.ts'
import { SipRefusal } from '../../sip/refusal.ts'
import { parseUri } from '../../sip/uri/parse.ts'
import type { Binding } from './binding.ts'

/** Short names: it is written with every refresh. */
type Way = {
  c: string
  f: [transport: string, local: string, localPort: number, remote: string, remotePort: number]
  i: string
  s: number
  n?: string
  r?: number
  p?: string[]
  /** The Call-IDs of phones that this one displaced: they stay out after a restart too. */
  o?: string[]
}

export function writeWay(binding: Binding, out: readonly string[]): string {
  const { contact, flow, callId, cseq, instance, regId, path } = binding
  const { local, remote } = flow
  const way: Way = {
    c: contact,
    f: [flow.transport, local.address, local.port, remote.address, remote.port],
    i: callId,
    s: cseq,
    ...(instance !== undefined && { n: instance }),
    ...(regId !== undefined && { r: regId }),
    ...(path.length > 0 && { p: [...path] }),
    ...(out.length > 0 && { o: [...out] }),
  }
  return JSON.stringify(way)
}

export type Restored = { binding: Omit<Binding, 'due'>; out: string[] }

/** Undefined where there is nothing to restore: a connection is gone with the process that had it. */
export function readWay(registration: Registration): Restored | undefined {
  const way = parseWay(registration.state ?? '')
  if (!way) return undefined
  const [transport, local, localPort, remote, remotePort] = way.f
  if (transport !== 'udp' || isIP(local) === 0 || isIP(remote) === 0 || !isUri(way.c)) return undefined
  const binding = {
    extension: registration.extension,
    contact: way.c,
    flow: {
      transport,
      local: { address: local, port: localPort },
      remote: { address: remote, port: remotePort },
    } as const,
    callId: way.i,
    cseq: way.s,
    instance: way.n,
    regId: way.r,
    path: way.p ?? [],
    userAgent: registration.userAgent,
    registeredAt: registration.registeredAt.getTime(),
    expiresAt: registration.expiresAt.getTime(),
  }
  return { binding, out: way.o ?? [] }
}

function parseWay(text: string): Way | undefined {
  try {
    const way: Partial<Way> | null = JSON.parse(text)
    const whole = typeof way?.c === 'string' && typeof way.i === 'string' && typeof way.s === 'number'
    return whole && Array.isArray(way.f) && way.f.length === 5 ? (way as Way) : undefined
  } catch {
    return undefined
  }
}

function isUri(text: string): boolean {
  try {
    return parseUri(text).scheme !== 'other'
  } catch (error) {
    if (error instanceof SipRefusal) return false
    throw error
  }
}
