/** Computes digest responses (RFC 7616, 3.4; RFC 8760). */
import { hash as digestOf } from 'node:crypto'

export type Algorithm = 'MD5' | 'SHA-256'

/** MD5 if the parameter is missing. */
export function readAlgorithm(name: string | undefined): Algorithm | undefined {
  const upper = (name ?? 'MD5').toUpperCase()
  return upper === 'MD5' || upper === 'SHA-256' ? upper : undefined
}

type Login = { algorithm: Algorithm; username: string; realm: string; password: string }
type Asked = { method: string; uri: string; nonce: string }
/** Without qop: as in RFC 2069. */
type Protection =
  | { qop: undefined }
  | { qop: 'auth'; cnonce: string; nc: string }
  | { qop: 'auth-int'; cnonce: string; nc: string; body: Buffer }

export function digestResponse(login: Login, asked: Asked, protection: Protection): string {
  const hash = (...parts: string[]) => hashOf(login.algorithm, parts.join(':'))
  const who = hash(login.username, login.realm, login.password)
  if (protection.qop === undefined) return hash(who, asked.nonce, hash(asked.method, asked.uri))
  const { qop, nc, cnonce } = protection
  const what =
    protection.qop === 'auth'
      ? hash(asked.method, asked.uri)
      : hash(asked.method, asked.uri, hashOf(login.algorithm, protection.body))
  return hash(who, asked.nonce, nc, cnonce, qop, what)
}

function hashOf(algorithm: Algorithm, hashed: string | Buffer): string {
  return digestOf(algorithm === 'MD5' ? 'md5' : 'sha256', hashed, 'hex')
}
