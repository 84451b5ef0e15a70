/** The limits of a new access token: those that are asked for, within those of the token it is made with (D205). */
import { refuse, refuseFields } from '../../contract/errors.ts'
import type { Scope } from '../../contract/users.ts'
import { inNetworks, isNetwork, isWithin } from '../../kit/networks.ts'
import type { TokenLimits } from '../caller.ts'
import { expiryOf, readTtl } from './token.ts'

export type WantedLimits = {
  ttl?: number | undefined
  scopes?: Scope[] | undefined
  addresses?: string[] | undefined
}

type GivenLimits = { ttl: number; scopes: Scope[] | null; addresses: string[] | null }

const noNetwork = {
  code: 'format',
  message: {
    en: 'must be addresses or networks, such as 203.0.113.7 or 203.0.113.0/24',
    pt: 'deve conter endereços ou redes, como 203.0.113.7 ou 203.0.113.0/24',
  },
}

/** What is not asked for is taken from the maker's token; `maker` is undefined for one without limits. */
export function readLimits(wanted: WantedLimits, maker: TokenLimits | undefined, now: Date): GivenLimits {
  const { scopes, addresses } = wanted
  if (addresses && !addresses.every(isNetwork)) throw refuseFields('AccessToken', { addresses: [noNetwork] })
  if (!maker) return { ttl: readTtl(wanted.ttl), scopes: scopes ?? null, addresses: addresses ?? null }
  const mayUse = (scope: Scope) => maker.scopes?.includes(scope) ?? true
  const mayBeAt = (network: string) => maker.addresses === null || isWithin(network, maker.addresses)
  if (!(scopes ?? []).every(mayUse) || !(addresses ?? []).every(mayBeAt)) {
    throw refuse('TOKEN_LIMITS_EXCEEDED')
  }
  return {
    ttl: readTtlWithin(wanted.ttl, maker.expiresAt, now),
    scopes: scopes ?? copy(maker.scopes),
    addresses: addresses ?? copy(maker.addresses),
  }
}

/** Not beyond the end of the maker's token. */
function readTtlWithin(wanted: number | undefined, end: Date | null, now: Date): number {
  const ttl = readTtl(wanted)
  if (end === null) return ttl
  const secondsLeft = Math.max(1, Math.floor((end.getTime() - now.getTime()) / 1000))
  if (wanted === undefined) return Math.min(ttl, secondsLeft)
  const expiry = expiryOf(ttl, now)
  if (expiry === null || expiry > end) throw refuse('TOKEN_LIMITS_EXCEEDED')
  return ttl
}

const copy = <T>(list: readonly T[] | null): T[] | null => list && [...list]

type Row = { scopes: Scope[] | null; addresses: string[] | null; expires_at: Date | null }

/** Undefined for a token without limits, as nearly all are. */
export function limitsOf({ scopes, addresses, expires_at }: Row): TokenLimits | undefined {
  if (!scopes && !addresses) return undefined
  const isAllowedAddress = addresses ? inNetworks(addresses) : () => true
  return { scopes, addresses, isAllowedAddress, expiresAt: expires_at }
}
