/** What each role may do (D54). Routes without a permission need no token. */

import type { Role } from '../contract/accounts/users.ts'
import { refuse } from '../contract/errors.ts'
import type { Caller } from './caller.ts'

const everyone: readonly Role[] = ['ADMIN', 'USER']
const admins: readonly Role[] = ['ADMIN']

const permissions = {
  'users.list': everyone,
  'users.create': admins,
  'users.read-own': everyone,
  'users.update-own': everyone,
  'users.update-others': admins,
  'users.set-role': admins,
  'users.set-verified': admins,
  'users.remove': admins,
  'users.invite': admins,
  'tokens.own': everyone,
  'tokens.others': admins,
  'calls.place': everyone,
  'calls.hangup': everyone,
  'calls.keys': everyone,
  'calls.transfer': everyone,
  'calls.list': everyone,
  'calls.list-others': admins,
  'calls.update-own': everyone,
  'calls.update-others': admins,
  'contacts.use': everyone,
  'contacts.manage': admins,
  'recordings.revoke': admins,
  'integrations.own': everyone,
  'events.read': everyone,
  'extensions.list': everyone,
  'extensions.manage': admins,
  'numbers.manage': admins,
  'charges.manage': admins,
  'credits.read': admins,
  'financial.manage': admins,
  'accounts.read': admins,
  'accounts.update': admins,
  'accounts.audit': admins,
  'requests.read': admins,
  'limits.read': everyone,
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissions

/** For the API reference. */
export const rolesWith = (permission: Permission): readonly Role[] => permissions[permission]

export function may({ user }: Caller, permission: Permission): boolean {
  return rolesWith(permission).includes(user.role)
}

export function checkMay(caller: Caller, permission: Permission) {
  if (!may(caller, permission)) throw refuse('ACCESS_DENIED')
}
