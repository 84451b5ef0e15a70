/** What protects the sound of a medium: nothing, DTLS-SRTP or SDES-SRTP. */
import type { Fingerprint } from '../../media/dtls/certificate.ts'
import type { IceCredentials } from '../../media/ice/ice-lite.ts'
import type { Media } from './sdp.ts'
import { iceOf } from './transport.ts'

/** As the describing side offers it, or agrees to it. */
export type Protection =
  | { kind: 'none' }
  | { kind: 'dtls'; fingerprint: Fingerprint; ice: IceCredentials | undefined }
  | { kind: 'sdes'; tag: number; key: string }

export type ProtectionKind = Protection['kind']

const plainProtocols = ['RTP/AVP', 'RTP/AVPF']
const secureProtocols = ['UDP/TLS/RTP/SAVPF', 'UDP/TLS/RTP/SAVP', 'RTP/SAVP', 'RTP/SAVPF']

/** Undefined if we have no such protection. We are the server of DTLS, so the describing side must be its client. */
export function readProtection({ protocol, transport }: Media): Protection | undefined {
  if (plainProtocols.includes(protocol)) return { kind: 'none' }
  if (!secureProtocols.includes(protocol)) return undefined
  const { fingerprint, setup, crypto } = transport
  if (fingerprint) {
    const isClient = setup === 'actpass' || setup === 'active'
    return isClient ? { kind: 'dtls', fingerprint, ice: iceOf(transport) } : undefined
  }
  const [first] = crypto
  return first && !protocol.startsWith('UDP/') ? { kind: 'sdes', ...first } : undefined
}
