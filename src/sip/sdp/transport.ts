/**
 * How a medium is transported and protected: ICE (RFC 8839), DTLS (RFC 8842), SDES (RFC 4568). Browsers need all of the
 * first two, plain phones none of it.
 */
import { type Fingerprint, fingerprintHashes } from '../../media/dtls/certificate.ts'
import type { IceCredentials } from '../../media/ice/ice-lite.ts'

export type Setup = 'actpass' | 'active' | 'passive' | 'holdconn'

/** A line of SDES: the tag by which the answer names it, and the master key and salt in base64. */
type CryptoLine = { tag: number; key: string }

export type Transport = {
  mid: string | undefined
  /** The medium may share its port with others (RFC 9143), which we use for none. */
  isBundled: boolean
  /** RTCP on the port of RTP (RFC 5761). */
  isRtcpMuxed: boolean
  setup: Setup | undefined
  fingerprint: Fingerprint | undefined
  iceUfrag: string | undefined
  icePassword: string | undefined
  /** Where we can be reached; a peer's candidates are not needed, as it finds the way to us. */
  candidates: readonly Candidate[]
  /** Those of the profile we have. */
  crypto: readonly CryptoLine[]
}

type Candidate = { address: string; port: number }

export type OpenTransport = { -readonly [Key in keyof Transport]: Transport[Key] }

export const plainTransport: Transport = {
  mid: undefined,
  isBundled: false,
  isRtcpMuxed: false,
  setup: undefined,
  fingerprint: undefined,
  iceUfrag: undefined,
  icePassword: undefined,
  candidates: [],
  crypto: [],
}

/** The profile that phones and browsers have in common. */
const cryptoSuite = 'AES_CM_128_HMAC_SHA1_80'

/** False if it is another attribute. Malformed ones are ignored. */
export function readTransportAttribute(into: OpenTransport, name: string, value: string): boolean {
  if (name === 'mid') into.mid = token(value)
  else if (name === 'rtcp-mux') into.isRtcpMuxed = true
  else if (name === 'setup') into.setup = readSetup(value)
  else if (name === 'fingerprint') into.fingerprint = readFingerprint(value) ?? into.fingerprint
  else if (name === 'ice-ufrag') into.iceUfrag = iceText(value)
  else if (name === 'ice-pwd') into.icePassword = iceText(value)
  else if (name === 'crypto') into.crypto = [...into.crypto, ...readCrypto(value)]
  else return false
  return true
}

const token = (value: string) => (/^[\x21-\x7e]{1,32}$/.test(value) ? value : undefined)
const iceText = (value: string) => (/^[A-Za-z0-9+/_-]{4,256}$/.test(value) ? value : undefined)

function readSetup(value: string): Setup | undefined {
  return setups.find((setup) => setup === value.toLowerCase())
}
const setups: readonly Setup[] = ['actpass', 'active', 'passive', 'holdconn']

/** `sha-256 4A:AD:…` */
function readFingerprint(value: string): Fingerprint | undefined {
  const [, name = '', octets = ''] = /^(\S+)\s+([0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){19,63})$/.exec(value) ?? []
  const hash = fingerprintHashes.find((known) => known === name.toLowerCase())
  return hash && { hash, value: octets.toUpperCase() }
}

/** `1 AES_CM_128_HMAC_SHA1_80 inline:…|2^48`. Lines of other suites, with a key identifier or with parameters are left out. */
function readCrypto(value: string): CryptoLine[] {
  const [, tag, suite, key] =
    /^(\d{1,9})\s+(\S+)\s+inline:([A-Za-z0-9+/]{40})(?:\|2\^\d{1,2}|\|\d{1,20})?$/.exec(value) ?? []
  if (tag === undefined || key === undefined || suite?.toUpperCase() !== cryptoSuite) return []
  return [{ tag: Number(tag), key }]
}

export function transportLines(transport: Transport): string[] {
  const { mid, isRtcpMuxed, setup, fingerprint, iceUfrag, icePassword, candidates, crypto } = transport
  const lines: string[] = []
  if (mid !== undefined) lines.push(`a=mid:${mid}`)
  if (iceUfrag !== undefined) lines.push(`a=ice-ufrag:${iceUfrag}`)
  if (icePassword !== undefined) lines.push(`a=ice-pwd:${icePassword}`)
  if (fingerprint) lines.push(`a=fingerprint:${fingerprint.hash} ${fingerprint.value}`)
  if (setup) lines.push(`a=setup:${setup}`)
  if (isRtcpMuxed) lines.push('a=rtcp-mux')
  for (const { tag, key } of crypto) lines.push(`a=crypto:${tag} ${cryptoSuite} inline:${key}`)
  lines.push(...candidates.map(candidateLine))
  if (candidates.length > 0) lines.push('a=end-of-candidates')
  return lines
}

/** A host candidate of the first component (RFC 8445, 5.1.2.1), which with rtcp-mux is the only one. */
function candidateLine({ address, port }: Candidate, index: number): string {
  const priority = 126 * 2 ** 24 + (65_535 - index) * 2 ** 8 + 255
  return `a=candidate:${index + 1} 1 udp ${priority} ${address} ${port} typ host`
}

export function iceOf({ iceUfrag, icePassword }: Transport): IceCredentials | undefined {
  if (iceUfrag === undefined || icePassword === undefined) return undefined
  return { ufrag: iceUfrag, password: icePassword }
}
