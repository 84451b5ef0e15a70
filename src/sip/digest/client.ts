/** Answers digest challenges, such as a carrier's. */
import { randomBytes } from 'node:crypto'
import type { SipRequest, SipResponse } from '../message/message.ts'
import { formatUri } from '../uri/uri.ts'
import { type AuthHeader, type AuthHeaderName, digests, formatDigest } from './auth-header.ts'
import { digestResponse, readAlgorithm } from './digest.ts'

type Login = { username: string; password: string }
type Settings = {
  /** `undefined` if there is no password for that realm. */
  login(realm: string): Login | undefined
  cnonce?: () => string
}

/** Limits memory if a peer challenges with ever new realms. */
const maxRealms = 16

const sides: readonly (readonly [asked: AuthHeaderName, answered: AuthHeaderName])[] = [
  ['WWW-Authenticate', 'Authorization'],
  ['Proxy-Authenticate', 'Proxy-Authorization'],
]

export function createDigestClient({ login, cnonce = () => randomBytes(12).toString('hex') }: Settings) {
  /** How often the latest nonce of each realm was used. */
  const counts = new Map<string, { nonce: string; count: number }>()

  function nextCount(realm: string, nonce: string): string {
    const known = counts.get(realm)
    const count = known?.nonce === nonce ? known.count + 1 : 1
    counts.delete(realm)
    counts.set(realm, { nonce, count })
    if (counts.size > maxRealms) counts.delete(counts.keys().next().value ?? realm)
    return count.toString(16).padStart(8, '0')
  }

  /**
   * The request with credentials for every realm that challenged it, to be sent with a new CSeq and branch.
   * `undefined` if that is pointless: no password, an unknown algorithm, or the credentials were refused already.
   */
  function answer(request: SipRequest, response: SipResponse): SipRequest | undefined {
    let { headers } = request
    let answered = 0
    for (const [asked, name] of sides) {
      for (const [realm, challenge] of choose(digests(response, asked))) {
        const given = digests(request, name).some(({ params }) => params.get('realm') === realm)
        const value = given && !isStale(challenge) ? undefined : credentials(request, realm, challenge)
        if (value === undefined) return undefined
        headers = headers.filter((header) => header.name !== name || !isFor(realm, header.value))
        headers = [...headers, { name, value }]
        answered++
      }
    }
    return answered === 0 ? undefined : { ...request, headers }
  }

  function credentials(request: SipRequest, realm: string, { params }: AuthHeader): string | undefined {
    const known = login(realm)
    const algorithm = readAlgorithm(params.get('algorithm'))
    const nonce = params.get('nonce')
    const qop = chooseQop(params.get('qop'))
    if (!known || !algorithm || nonce === undefined || qop === 'unknown') return undefined
    const uri = formatUri(request.uri)
    const opaque = params.get('opaque')
    const once = { cnonce: cnonce(), nc: nextCount(realm, nonce) }
    const protection = qop === undefined ? { qop } : { qop, ...once, body: request.body }
    const response = digestResponse(
      { algorithm, realm, ...known },
      { method: request.method, uri, nonce },
      protection,
    )
    const fields: [string, string][] = [
      ['username', known.username],
      ['realm', realm],
      ['nonce', nonce],
      ['uri', uri],
      ['response', response],
    ]
    if (params.has('algorithm')) fields.push(['algorithm', algorithm])
    if (qop !== undefined) fields.push(['cnonce', once.cnonce], ['qop', qop], ['nc', once.nc])
    if (opaque !== undefined) fields.push(['opaque', opaque])
    return formatDigest(fields, true)
  }

  return { answer }
}

/** RFC 8760, 2.4: for each realm the topmost challenge with a known algorithm. */
function choose(challenges: readonly AuthHeader[]): Map<string, AuthHeader> {
  const chosen = new Map<string, AuthHeader>()
  for (const challenge of challenges) {
    const realm = challenge.params.get('realm')
    if (realm === undefined || chosen.has(realm)) continue
    if (readAlgorithm(challenge.params.get('algorithm'))) chosen.set(realm, challenge)
  }
  return chosen
}

/** auth before auth-int: a proxy that changes the body would invalidate the latter. */
function chooseQop(offered: string | undefined): 'auth' | 'auth-int' | undefined | 'unknown' {
  if (offered === undefined) return undefined
  const options = offered.split(',').map((option) => option.trim().toLowerCase())
  if (options.includes('auth')) return 'auth'
  return options.includes('auth-int') ? 'auth-int' : 'unknown'
}

function isStale({ params }: AuthHeader): boolean {
  return params.get('stale')?.toLowerCase() === 'true'
}

function isFor(realm: string, value: string): boolean {
  const [given] = digests({ headers: [{ name: 'Authorization', value }] }, 'Authorization')
  return given?.params.get('realm') === realm
}
