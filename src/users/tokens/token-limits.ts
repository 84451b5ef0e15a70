/** The limits of a new access token: those that are asked for, within those of the token it is made with (D205, D491). */

import type { Scope } from '../../contract/accounts/users.ts'
import { refuse, refuseFields } from '../../contract/errors.ts'
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

/** Limits that a token passes on to those that it makes. */
export type TokenMaker = {
  limits: TokenLimits | undefined
  /** D491: no token that it makes ends later; null: no bound. */
  end: Date | null
}

/** Limits that are not given are taken from the maker's token; `maker` is undefined for a login. */
export function readLimits(wanted: WantedLimits, maker: TokenMaker | undefined, now: Date): GivenLimits {
  const { scopes, addresses } = wanted
  const limits = maker?.limits
  if (addresses && !addresses.every(isNetwork)) throw refuseFields('AccessToken', { addresses: [noNetwork] })
  const mayUse = (scope: Scope) => limits?.scopes?.includes(scope) ?? true
  const mayBeAt = (network: string) => !limits?.addresses || isWithin(network, limits.addresses)
  if (!(scopes ?? []).every(mayUse) || !(addresses ?? []).every(mayBeAt)) {
    throw refuse('TOKEN_LIMITS_EXCEEDED')
  }
  return {
    ttl: readTtlWithin(wanted.ttl, maker, now),
    scopes: scopes ?? copy(limits?.scopes),
    addresses: addresses ?? copy(limits?.addresses),
  }
}

/** Not beyond the end of the maker's token. */
function readTtlWithin(wanted: number | undefined, maker: TokenMaker | undefined, now: Date): number {
  const ttl = readTtl(wanted)
  const end = maker?.end ?? null
  if (end === null) return ttl
  const secondsLeft = Math.max(1, Math.floor((end.getTime() - now.getTime()) / 1000))
  if (wanted === undefined) return Math.min(ttl, secondsLeft)
  const expiry = expiryOf(ttl, now)
  if (expiry !== null && expiry <= end) return ttl
  throw maker?.limits
    ? refuse('TOKEN_LIMITS_EXCEEDED')
    : refuse('REAUTHENTICATION_REQUIRED', { message: outlives })
}

const outlives = {
  en: 'The token in use ends earlier than that: send your current password and, if your second factor is enabled, its code.',
  pt: 'O token em uso termina antes: envie sua senha atual e, se a verificação em duas etapas estiver ativada, o código dela.',
}

const copy = <T>(list: readonly T[] | null | undefined): T[] | null => (list ? [...list] : null)

type Row = { scopes: Scope[] | null; addresses: string[] | null }

/** Undefined for a token without limits, as nearly all are. */
export function limitsOf({ scopes, addresses }: Row): TokenLimits | undefined {
  if (!scopes && !addresses) return undefined
  const isAllowedAddress = addresses ? inNetworks(addresses) : () => true
  return { scopes, addresses, isAllowedAddress }
}
