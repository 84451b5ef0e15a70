/** Spec §4.7, users. */

import { CreatedUser, Invitation, NewUser, User, UserPatch } from '../../../contract/accounts/users.ts'
import { expensive } from '../../../contract/limits.ts'
import { listed } from '../../../contract/schema/common.ts'
import { Type } from '../../../contract/schema/type.ts'
import { readBareList } from '../../../filter/list-query.ts'
import { pickFields } from '../../../filter/selection.ts'
import type { User as UserRecord } from '../../../users/user.ts'
import { userList } from '../../../users/user-list.ts'
import type { Users } from '../../../users/users.ts'
import { type AnyEntry, entry } from '../../entry.ts'
import { filterParameter, readFlag } from '../parameters.ts'

const tag = 'Users'

export function userRoutes({ users }: { users: Users }): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/users',
      tag,
      about: 'List the users of the account',
      may: 'users.list',
      scope: 'admin',
      limit: 'other',
      query: filterParameter(userList),
      reply: Type.Array(listed(User)),
      async run({ caller, query }) {
        const list = readBareList(userList, query, caller)
        const found = await users.list(caller, list)
        return found.map((user) => pickFields(list.fields, presentUser(user)))
      },
    }),
    entry({
      method: 'POST',
      path: '/users',
      tag,
      about: 'Create a user, or invite one by leaving out the password',
      may: 'users.create',
      scope: 'admin',
      limit: 'other',
      weight: expensive,
      idempotent: true,
      body: NewUser,
      reply: CreatedUser,
      run: async ({ caller, body, saveAnswer }) =>
        presentCreated(await users.create(caller, body, (tx, user) => saveAnswer(tx, presentCreated(user)))),
    }),
    entry({
      method: 'PATCH',
      path: '/users',
      tag,
      about: 'Change yourself or, as an ADMIN, the user named by uuid',
      may: 'users.update-own',
      scope: 'admin',
      limit: 'other',
      body: UserPatch,
      reply: User,
      errors: [
        'USER_NOT_FOUND',
        'LAST_ADMIN',
        'REAUTHENTICATION_REQUIRED',
        'INVALID_PASSWORD',
        'INVALID_CODE',
      ],
      run: async ({ caller, body: { uuid, currentPassword, code, ...patch } }) =>
        presentUser(await users.update(caller, uuid, patch, { password: currentPassword, code })),
    }),
    entry({
      method: 'GET',
      path: '/users/me',
      tag,
      about: 'Show the user who is asking',
      may: 'users.read-own',
      scope: 'any',
      limit: 'other',
      reply: User,
      run: ({ caller }) => presentUser(caller.user),
    }),
    entry({
      method: 'GET',
      path: '/users/:uuid',
      tag,
      about: 'Show one user of the account',
      may: 'users.list',
      scope: 'admin',
      limit: 'other',
      reply: User,
      errors: ['USER_NOT_FOUND'],
      run: async ({ caller, params: { uuid = '' } }) => presentUser(await users.find(caller, uuid)),
    }),
    entry({
      method: 'DELETE',
      path: '/users/:uuid',
      tag,
      about: 'Remove a user with tokens, integrations and phones',
      notes:
        'The extensions of the user stay, without an owner. Their phones are signed out, and since the user knew `senha`, each ' +
        'gets a new one, unless `keepSenha` is `true`.',
      may: 'users.remove',
      scope: 'admin',
      limit: 'other',
      query: { keepSenha: { about: '`true`: the extensions of the user keep `senha`', example: 'false' } },
      reply: User,
      errors: ['USER_NOT_FOUND', 'LAST_ADMIN'],
      run: async ({ caller, params: { uuid = '' }, query: { keepSenha } }) =>
        presentUser(await users.remove(caller, uuid, readFlag('keepSenha', keepSenha))),
    }),
    entry({
      method: 'POST',
      path: '/users/invitations',
      tag,
      about: 'Send the invitation again to a user who has not set a password',
      may: 'users.invite',
      scope: 'admin',
      limit: 'other',
      body: Invitation,
      reply: User,
      errors: ['USER_NOT_FOUND', 'INVITATION_ACCEPTED'],
      run: async ({ caller, body: { uuid } }) => presentUser(await users.invite(caller, uuid)),
    }),
  ]
}

const presented = new WeakMap<UserRecord, ReturnType<typeof present>>()

/** Formats each user object once: the object of a cached caller is shown again and again. */
export function presentUser(user: UserRecord) {
  const known = presented.get(user)
  if (known) return known
  const fresh = present(user)
  presented.set(user, fresh)
  return fresh
}

function present(user: UserRecord) {
  return {
    uuid: user.uuid,
    name: user.name,
    email: user.email,
    phone: user.phone,
    role: user.role,
    emailVerified: user.emailVerified,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
    lastLoginAt: user.lastLoginAt?.toISOString() ?? null,
    ...(user.pendingEmail !== null && { pendingEmail: user.pendingEmail }),
    ...(user.invited && { invited: true as const }),
  }
}

function presentCreated(user: UserRecord) {
  const { name, email, phone, role, uuid, emailVerified, createdAt, ...more } = present(user)
  const shown = { name, email, phone, role, uuid, emailVerified, createdAt }
  return more.invited ? { ...shown, invited: more.invited } : shown
}
