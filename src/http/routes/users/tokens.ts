/** Spec §4.7 and §5, login and access tokens. */

import { AccessToken, ListedToken, Login, NewAccessToken } from '../../../contract/accounts/users.ts'
import { refuse } from '../../../contract/errors.ts'
import { Type } from '../../../contract/schema/type.ts'
import type { Login as LoginVerb } from '../../../users/login/login.ts'
import type { Callers } from '../../../users/tokens/callers.ts'
import type { Tokens } from '../../../users/tokens/tokens.ts'
import { type AnyEntry, entry } from '../../entry.ts'
import { readToken } from '../../server/authorization.ts'
import { presentUser } from './users.ts'

const tag = 'Access tokens'
const userParameter = { about: 'The uuid of a user; another than yourself only as an ADMIN' }

/** D432: LoopBack's SDKs send `include=user` with every login, as a name or in a JSON list. */
const includeUser = { about: '`user` adds the user to the answer', example: 'user' }

function includesUser(include: string | string[] | undefined): boolean {
  return /^(user|\["user"\])$/i.test(String(include ?? '').trim())
}

type Deps = { tokens: Tokens; login: LoginVerb; callers: Callers }

export function tokenRoutes({ tokens, login, callers }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'POST',
      path: '/users/login',
      tag,
      about: 'Get an access token for an e-mail and a password',
      may: 'anyone',
      limit: 'login',
      query: { include: includeUser },
      body: Login,
      reply: AccessToken,
      errors: [
        'USERNAME_EMAIL_REQUIRED',
        'LOGIN_FAILED',
        'LOGIN_FAILED_EMAIL_NOT_VERIFIED',
        'ACCOUNT_SUSPENDED',
        'SECOND_FACTOR_REQUIRED',
        'SECOND_FACTOR_FAILED',
      ],
      refuseBody: (fields) =>
        fields.every((field) => field === 'ttl' || field === 'code')
          ? undefined
          : refuse('USERNAME_EMAIL_REQUIRED'),
      async run({ body: { email, password, ttl, code }, query, address }) {
        if (email.trim() === '' || password === '') throw refuse('USERNAME_EMAIL_REQUIRED')
        const place = { address }
        const { user, ...token } = await login.login({ email, password, ttl, code, place })
        const presented = presentToken(token)
        return includesUser(query.include) ? { ...presented, user: presentUser(user) } : presented
      },
    }),
    entry({
      method: 'POST',
      path: '/users/logout',
      tag,
      about: 'End the access token that is sent',
      may: 'users.read-own',
      scope: 'any',
      limit: 'other',
      status: 204,
      async run({ caller }) {
        await tokens.revoke(caller, caller.tokenRef)
        return undefined
      },
    }),
    entry({
      method: 'POST',
      path: '/users/accessTokens',
      tag,
      about: 'Make another access token of your own',
      notes:
        'With a token of `POST /users/login`, any. With a token that ends sooner than that of a login, or that was itself made so, ' +
        'none that outlives it, unless `currentPassword` is sent; without `ttl` it then ends with the token in use.',
      may: 'tokens.own',
      scope: 'admin',
      limit: 'other',
      body: NewAccessToken,
      bodyOptional: true,
      reply: AccessToken,
      errors: ['TOKEN_LIMITS_EXCEEDED', 'REAUTHENTICATION_REQUIRED', 'INVALID_PASSWORD', 'INVALID_CODE'],
      async run({ caller, body: { currentPassword, code, ...wanted } }) {
        return presentToken(await tokens.create(caller, wanted, { password: currentPassword, code }))
      },
    }),
    entry({
      method: 'HEAD',
      path: '/users/accessTokens',
      tag,
      about: 'Check that the token in Authorization exists',
      may: 'anyone',
      limit: 'other',
      errors: ['TOKEN_NOT_FOUND', 'ACCOUNT_SUSPENDED'],
      async run({ headers }) {
        const token = readToken(headers.authorization)
        if (token === undefined || !(await callers.find(token))) throw refuse('TOKEN_NOT_FOUND')
        return undefined
      },
    }),
    entry({
      method: 'GET',
      path: '/users/accessTokens',
      tag,
      about: 'List your access tokens or, as an ADMIN, those of another user',
      may: 'tokens.own',
      scope: 'admin',
      limit: 'other',
      query: { user: userParameter },
      reply: Type.Array(ListedToken),
      errors: ['USER_NOT_FOUND'],
      run: async ({ caller, query: { user } }) =>
        (await tokens.list(caller, user === undefined ? undefined : String(user))).map(presentListed),
    }),
    entry({
      method: 'DELETE',
      path: '/users/accessTokens',
      tag,
      about: 'Revoke all access tokens of a user, but the one in use',
      may: 'tokens.own',
      scope: 'admin',
      limit: 'other',
      query: { user: userParameter },
      reply: Type.Object({ revoked: Type.Integer({ description: 'How many were revoked', examples: [3] }) }),
      errors: ['USER_NOT_FOUND'],
      run: async ({ caller, query: { user } }) => ({
        revoked: await tokens.revokeAll(caller, user === undefined ? undefined : String(user)),
      }),
    }),
    entry({
      method: 'DELETE',
      path: '/users/accessTokens/:ref',
      tag,
      about: 'Revoke one access token: your own or, as an ADMIN, any in the account',
      may: 'tokens.own',
      scope: 'admin',
      limit: 'other',
      reply: Type.Object({ ref: ListedToken.properties.ref }),
      errors: ['TOKEN_NOT_FOUND'],
      async run({ caller, params: { ref = '' } }) {
        await tokens.revoke(caller, ref)
        return { ref }
      },
    }),
  ]
}

type Listed = Awaited<ReturnType<Tokens['list']>>[number]

function presentListed(token: Listed) {
  return {
    ...token,
    created: token.created.toISOString(),
    expires: token.expires?.toISOString() ?? null,
    lastUsed: token.lastUsed?.toISOString() ?? null,
  }
}

type Issued = Awaited<ReturnType<Tokens['issue']>> & { userId: string; name?: string }

function presentToken(token: Issued) {
  return { ...token, created: token.created.toISOString() }
}
