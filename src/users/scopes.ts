/**
 * What a limited access token may be used for and from where (D204, D205), besides what the role of its user allows.
 * A token without limits does all that its user may do.
 */

import type { Scope } from '../contract/accounts/users.ts'
import { refuse } from '../contract/errors.ts'
import type { Caller } from './caller.ts'

/** What a route asks for: a scope, one of several, or any token. */
export type RouteScope = Scope | readonly Scope[] | 'any'

/** For the API reference; empty where any token is enough. */
export function scopesIn(wanted: RouteScope): readonly Scope[] {
  if (wanted === 'any') return []
  return typeof wanted === 'string' ? [wanted] : wanted
}

export function hasScope({ limits }: Caller, scope: Scope): boolean {
  return !limits?.scopes || limits.scopes.includes(scope)
}

/** Passwords of extensions and secrets of webhooks: not for limited tokens (D206), nor for the operator who looks in (D647). */
export function maySeeSecrets(caller: Caller): boolean {
  return hasScope(caller, 'admin') && !caller.lookIn
}

/** A route that declares nothing is refused to every token with scopes. */
export function checkScope(caller: Caller, wanted: RouteScope | undefined) {
  if (!caller.limits?.scopes || wanted === 'any') return
  const names = wanted === undefined ? [] : scopesIn(wanted)
  if (names.some((scope) => hasScope(caller, scope))) return
  const [en, pt] = [names.join(' or ') || 'everything', names.join(' ou ') || 'tudo']
  throw refuse('SCOPE_REQUIRED', {
    message: {
      en: `This access token is limited to other scopes; this needs ${en}.`,
      pt: `Este token de acesso está limitado a outros escopos; esta ação exige ${pt}.`,
    },
  })
}

export function checkAddress({ limits }: Caller, address: string) {
  if (limits && !limits.isAllowedAddress(address)) throw refuse('TOKEN_ADDRESS_REFUSED')
}
