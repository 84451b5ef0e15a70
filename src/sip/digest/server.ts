/** Digest authentication of requests we receive: challenges, and checks of credentials. */
import { type KeyObject, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../kit/clock.ts'
import { cseq } from '../headers/numbers.ts'
import { callId } from '../headers/parties.ts'
import { firstValue, type SipRequest } from '../message/message.ts'
import { SipRefusal } from '../refusal.ts'
import { parseUri } from '../uri/parse.ts'
import type { Uri } from '../uri/uri.ts'
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
  /** D178: the process, by a name that no other has had: nonces of others, and of an earlier one, are stale. */
  node?: string
}

/** stale: the nonce is too old, already used, or was not given to this address by this process; the phone answers the next challenge by itself. */
export type DigestResult = 'right' | 'stale' | 'wrong'

export type Challenged = { request: SipRequest; address: string }

export type DigestClaim = Challenged & {
  credentials: AuthHeader
  realm: string
  /** The password of the user in the credentials; `undefined` if there is no such user, which is refused in the same time. */
  password: string | undefined
}

export function createDigestServer(settings: Settings) {
  const { key, clock, nonceSeconds, algorithms = ['SHA-256', 'MD5'], node = randomUUID() } = settings
  const replays = createReplayGuard(settings.nonces)

  /** One header value per algorithm, in the order they must be sent. */
  function challenges(realm: string, { request, address }: Challenged, { stale = false } = {}): string[] {
    const nonce = makeNonce({ key, node, realm, address }, identityOf(request), clock.now())
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

  /** The time of a nonce that this address received from this process not long ago. */
  function currentNonceTime({ params }: AuthHeader, realm: string, address: string): number | undefined {
    const createdAt = nonceTime({ key, node, realm, address }, params.get('nonce') ?? '')
    if (createdAt === undefined) return undefined
    const age = clock.now().getTime() - createdAt
    return age >= 0 && age <= nonceSeconds * 1000 ? createdAt : undefined
  }

  function check(claim: DigestClaim): DigestResult {
    const { credentials, realm, address } = claim
    const createdAt = currentNonceTime(credentials, realm, address)
    if (createdAt === undefined) return 'stale'
    const nonce = credentials.params.get('nonce') ?? ''
    const count = checkResponse(claim, nonce, algorithms)
    if (count === undefined || claim.password === undefined) return 'wrong'
    return replays.firstUse(nonce, createdAt, count) ? 'right' : 'stale'
  }

  return {
    challenges,
    check,
    /** Needs no password: credentials with another nonce are stale, whatever else they say. */
    isCurrent: (credentials: AuthHeader, realm: string, address: string) =>
      currentNonceTime(credentials, realm, address) !== undefined,
  }
}
export type DigestServer = ReturnType<typeof createDigestServer>

/** The same for a retransmission, and for nothing else. */
function identityOf(request: SipRequest): string {
  return [callId(request), cseq(request).number, request.method, firstValue(request, 'Via')].join('\n')
}

/** The nonce count, if the response is right. Without qop there is no nonce count, and it is refused. */
function checkResponse(
  { credentials: { params }, realm, request, password }: DigestClaim,
  nonce: string,
  algorithms: readonly Algorithm[],
): number | undefined {
  const [username, uri, cnonce] = [params.get('username'), params.get('uri'), params.get('cnonce')]
  const algorithm = readAlgorithm(params.get('algorithm'))
  const nc = params.get('nc') ?? ''
  if (username === undefined || uri === undefined || !cnonce) return undefined
  if (params.get('realm') !== realm || !isFor(uri, request)) return undefined
  if (!algorithm || !algorithms.includes(algorithm)) return undefined
  if (params.get('qop')?.toLowerCase() !== 'auth' || !/^[0-9a-f]{8}$/i.test(nc)) return undefined
  const expected = digestResponse(
    { algorithm, username, realm, password: password ?? '' },
    { method: request.method, uri, nonce },
    { qop: 'auth', cnonce, nc },
  )
  return sameText(expected, (params.get('response') ?? '').toLowerCase())
    ? Number.parseInt(nc, 16)
    : undefined
}

/**
 * D180: an INVITE may be used only for the number it was signed for. The rest of the URI may differ, since phones write
 * host, port and parameters differently in the two places, or a proxy has changed them; other methods name no number.
 */
function isFor(signedUri: string, { method, uri }: SipRequest): boolean {
  if (method !== 'INVITE') return true
  try {
    return userOf(parseUri(signedUri)) === userOf(uri)
  } catch (error) {
    if (error instanceof SipRefusal) return false
    throw error
  }
}

/** After `;` come the parameters of the number (RFC 3261, 19.1.6). */
function userOf(uri: Uri): string | undefined {
  if (uri.scheme === 'tel') return uri.number
  return uri.scheme === 'other' ? undefined : uri.user?.split(';', 1)[0]
}

function sameText(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
