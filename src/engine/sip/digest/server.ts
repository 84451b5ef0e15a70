/** Digest authentication of requests we receive: challenges, and checks of credentials. */
import { type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../kit/clock.ts'
import { type AuthHeader, formatDigest } from './auth-header.ts'
import { type Algorithm, digestResponse, readAlgorithm } from './digest.ts'
import { makeNonce, nonceTime } from './nonce.ts'
import { createReplayGuard } from './replay.ts'

type Settings = {
  /** A key object: creating one from bytes costs more than an HMAC. */
  key: KeyObject
  clock: Clock
  nonceSeconds: number
  /** How many nonces in use are kept, to detect replays. */
  nonces: number
  /** RFC 8760, 2.4: in order of preference. */
  algorithms?: readonly Algorithm[]
}

/** stale: the password is right, but the nonce is too old or already used; the phone answers the next challenge by itself. */
export type DigestResult = 'right' | 'stale' | 'wrong'

export type DigestClaim = {
  credentials: AuthHeader
  realm: string
  method: string
  /** The password of the user in the credentials; `undefined` if there is no such user, which is refused in the same time. */
  password: string | undefined
}

export function createDigestServer(settings: Settings) {
  const { key, clock, nonceSeconds, algorithms = ['SHA-256', 'MD5'] } = settings
  const replays = createReplayGuard(settings.nonces)

  /** One header value per algorithm, in the order they must be sent. */
  function challenges(realm: string, { stale = false } = {}): string[] {
    const nonce = makeNonce(key, realm, clock.now())
    return algorithms.map((algorithm) =>
      formatDigest([
        ['realm', realm],
        ['nonce', nonce],
        ['algorithm', algorithm],
        ['qop', 'auth'],
        ...(stale ? ([['stale', 'true']] as const) : []),
      ]),
    )
  }

  function check(claim: DigestClaim): DigestResult {
    const { credentials, realm } = claim
    const nonce = credentials.params.get('nonce') ?? ''
    const createdAt = nonceTime(key, realm, nonce)
    if (createdAt === undefined || credentials.params.get('realm') !== realm) return 'wrong'
    const count = checkResponse(claim, nonce, algorithms)
    if (count === undefined || claim.password === undefined) return 'wrong'
    const age = clock.now().getTime() - createdAt
    if (age < 0 || age > nonceSeconds * 1000) return 'stale'
    return replays.firstUse(nonce, createdAt, count) ? 'right' : 'stale'
  }

  return { challenges, check }
}

/** The nonce count, if the response is right. Without qop there is no nonce count, and it is refused. */
function checkResponse(
  { credentials: { params }, realm, method, password }: DigestClaim,
  nonce: string,
  algorithms: readonly Algorithm[],
): number | undefined {
  const [username, uri, cnonce] = [params.get('username'), params.get('uri'), params.get('cnonce')]
  const algorithm = readAlgorithm(params.get('algorithm'))
  const nc = params.get('nc') ?? ''
  if (username === undefined || uri === undefined || !cnonce) return undefined
  if (!algorithm || !algorithms.includes(algorithm)) return undefined
  if (params.get('qop')?.toLowerCase() !== 'auth' || !/^[0-9a-f]{8}$/i.test(nc)) return undefined
  const expected = digestResponse(
    { algorithm, username, realm, password: password ?? '' },
    { method, uri, nonce },
    { qop: 'auth', cnonce, nc },
  )
  return sameText(expected, (params.get('response') ?? '').toLowerCase())
    ? Number.parseInt(nc, 16)
    : undefined
}

function sameText(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
