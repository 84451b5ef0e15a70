/** How the sound of a side is protected, as the two SDPs agreed on it. Without it, it is plain RTP. */
import type { Fingerprint } from '../dtls/certificate.ts'
import type { IceCredentials } from '../ice/ice-lite.ts'

/** SDES (RFC 4568): the keys stand in the SDP, each as master key and salt in base64. */
type SdesSecurity = { kind: 'sdes'; ours: string; theirs: string }

/** DTLS-SRTP (RFC 5764): browsers, which find their way by ICE, and some phones, which do not. */
export type DtlsSecurity = {
  kind: 'dtls'
  /** Fingerprint of the certificate in the peer's SDP. */
  fingerprint: Fingerprint
  ice: { local: IceCredentials; remoteUfrag: string } | undefined
}

export type Security = SdesSecurity | DtlsSecurity
