/** Asks who is there, and checks the answer. */
import { type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../kit/clock.ts'
import { type AuthHeader, formatDigest } from './auth-header.ts'
import { type Algorithm, digestResponse, readAlgorithm } from './digest.ts'
import { makeNonce, nonceTime } from './nonce.ts'
import { createReplayGuard } from './replay.ts'

type Settings = {
  /** A key object: making one of bytes costs more than a seal. */
  key: KeyObject
  clock: Clock
  nonceSeconds: number
  /** How many nonces in use are remembered. */
  nonces: number
  /** RFC 8760, 2.4: the one we like best first. */
  algorithms?: readonly Algorithm[]
}

/** stale: the password is right, the nonce too old or used up; asked again, the phone answers by itself. */
export type Verdict = 'right' | 'stale' | 'wrong'

export type Claim = {
  credentials: AuthHeader
  realm: string
  method: string
  /** Of the user that the credentials name; `undefined` if there is none, which takes as long to refuse. */
  password: string | undefined
}

export function createDigestServer(settings: Settings) {
  const { key, clock, nonceSeconds, algorithms = ['SHA-256', 'MD5'] } = settings
  const replays = createReplayGuard(settings.nonces)

  /** One header value for each algorithm, in the order they are to be sent. */
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

  function check(claim: Claim): Verdict {
    const { credentials, realm } = claim
    const nonce = credentials.params.get('nonce') ?? ''
    const made = nonceTime(key, realm, nonce)
    if (made === undefined || credentials.params.get('realm') !== realm) return 'wrong'
    const count = checkResponse(claim, nonce, algorithms)
    if (count === undefined || claim.password === undefined) return 'wrong'
    const age = clock.now().getTime() - made
    if (age < 0 || age > nonceSeconds * 1000) return 'stale'
    return replays.firstUse(nonce, made, count) ? 'right' : 'stale'
  }

  return { challenges, check }
}

/** The nonce count of a response that is right. Without qop there is none to count by, and it is refused. */
function checkResponse(
  { credentials: { params }, realm, method, password }: Claim,
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
