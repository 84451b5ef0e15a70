/** A binding as text, which the host stores so that the phone can be reached after a restart. */

import { isIP } from 'node:net'
import { defined } from '../../../kit/defined.ts'
import { SipRefusal } from '../../../sip/refusal.ts'
import { parseUri } from '../../../sip/uri/parse.ts'
import type { Registration } from '../../port.ts'
import type { Binding } from './binding.ts'

/** Short names, because it is stored with every refresh. */
type StoredBinding = {
  /** Contact. */
  c: string
  /** Flow. */
  f: [transport: string, local: string, localPort: number, remote: string, remotePort: number]
  /** Call-ID. */
  i: string
  /** CSeq. */
  s: number
  /** RFC 5626: instance and reg-id. */
  n?: string
  r?: number
  /** D312: whose temporary login it was made with. */
  u?: number
  /** RFC 3327: Path. */
  p?: string[]
  /** D252: the phone behind a trusted proxy. */
  b?: [address: string, port: number]
  /** D76: Call-IDs of the phones it displaced, which stay refused after a restart. */
  o?: string[]
}

export function writeStoredBinding(binding: Binding, displacedCallIds: readonly string[]): string {
  const { contact, flow, callId, cseq, instance, regId, userId, path } = binding
  const { local, remote, source } = flow
  const stored: StoredBinding = {
    c: contact,
    f: [flow.transport, local.address, local.port, remote.address, remote.port],
    i: callId,
    s: cseq,
    ...defined({ n: instance, r: regId, u: userId }),
    ...(path.length > 0 && { p: [...path] }),
    ...(source && { b: [source.address, source.port] as [string, number] }),
    ...(displacedCallIds.length > 0 && { o: [...displacedCallIds] }),
  }
  return JSON.stringify(stored)
}

export type RestoredBinding = { binding: Omit<Binding, 'due'>; displacedCallIds: string[] }

/** Undefined if the phone cannot be reached again: connections ended with the process that had them. */
export function readStoredBinding(registration: Registration): RestoredBinding | undefined {
  const stored = parseStored(registration.state ?? '')
  if (!stored) return undefined
  const [transport, local, localPort, remote, remotePort] = stored.f
  if (transport !== 'udp' || isIP(local) === 0 || isIP(remote) === 0 || !isUri(stored.c)) return undefined
  const binding = {
    extension: registration.extension,
    contact: stored.c,
    flow: {
      transport,
      local: { address: local, port: localPort },
      remote: { address: remote, port: remotePort },
      ...(stored.b && { source: { address: stored.b[0], port: stored.b[1] } }),
    } as const,
    callId: stored.i,
    cseq: stored.s,
    instance: stored.n,
    regId: stored.r,
    userId: stored.u,
    path: stored.p ?? [],
    userAgent: registration.userAgent,
    registeredAt: registration.registeredAt.getTime(),
    expiresAt: registration.expiresAt.getTime(),
  }
  return { binding, displacedCallIds: stored.o ?? [] }
}

function parseStored(text: string): StoredBinding | undefined {
  try {
    const stored: Partial<StoredBinding> | null = JSON.parse(text)
    const complete =
      typeof stored?.c === 'string' && typeof stored.i === 'string' && typeof stored.s === 'number'
    return complete && Array.isArray(stored.f) && stored.f.length === 5
      ? (stored as StoredBinding)
      : undefined
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
