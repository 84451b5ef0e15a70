/** Users and access tokens as the outside sees them (spec §2.6, §2.8, §4.7). */

import { bodyOf, expects } from '../schema/body.ts'
import { Instant, LocalizedMessage, nullable } from '../schema/common.ts'
import { type Static, Type } from '../schema/type.ts'
import { credentialFields } from './second-factor.ts'

export const Role = Type.Enum(['ADMIN', 'USER'])
export type Role = Static<typeof Role>

/** What an access token may be limited to (D204). */
export const Scope = Type.Enum(['calls:place', 'calls:read', 'contacts', 'billing', 'admin'])
export type Scope = Static<typeof Scope>

/** D296: one that the API's clients send in Authorization, or one of a console session, sent by its cookie alone. */
export const TokenKind = Type.Enum(['token', 'session'])
export type TokenKind = Static<typeof TokenKind>

/** What a link that is mailed to a user is for (D138), and which of them can be asked for by an address alone (D147). */
export type LinkPurpose =
  | 'confirm-email'
  | 'new-email'
  | 'release-email'
  | 'keep-email'
  | 'reset-password'
  | 'invitation'
export type RequestedPurpose = 'confirm-email' | 'reset-password'

const name = Type.String({ minLength: 1, maxLength: 120, examples: ['Ana Souza'] })
const email = Type.String({ maxLength: 254, examples: ['ana@example.com'] })
const phone = Type.String({ maxLength: 40, examples: ['+55 48 99999-8888'] })
const newPhone = Type.String({ ...phone, description: 'Brazilian with or without 55, others with a plus' })

export const User = Type.Object(
  {
    uuid: Type.String({ format: 'uuid', examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'] }),
    name,
    email,
    phone,
    role: Role,
    emailVerified: Type.Boolean(),
    createdAt: Instant,
    updatedAt: Instant,
    lastLoginAt: nullable(Instant),
    pendingEmail: Type.Optional(
      Type.String({
        description: 'Replaces `email` once its link is used',
        examples: ['ana.souza@example.com'],
      }),
    ),
    invited: Type.Optional(Type.Literal(true, { description: 'Has no password yet' })),
  },
  { $id: 'User' },
)

/** D58: the fields of the contract, and those that the creator needs next. */
export const CreatedUser = Type.Object(
  {
    name,
    email,
    phone,
    role: Role,
    uuid: User.properties.uuid,
    emailVerified: Type.Boolean(),
    createdAt: Instant,
    invited: User.properties.invited,
  },
  { $id: 'CreatedUser' },
)

const password = Type.String({ minLength: 8, maxLength: 200, examples: ['correct horse battery'] })

export const NewUser = Type.Object(
  {
    name,
    email,
    password: Type.Optional(
      Type.String({
        ...password,
        description: 'Without it the user is invited by mail',
      }),
    ),
    phone: newPhone,
    role: Role,
  },
  { $id: 'NewUser', ...bodyOf('User', { record: User }) },
)

export const UserPatch = Type.Object(
  {
    uuid: Type.Optional(Type.String({ description: 'Another user of the account; only by an ADMIN' })),
    email: Type.Optional(email),
    name: Type.Optional(name),
    phone: Type.Optional(phone),
    emailVerified: Type.Optional(Type.Boolean({ description: 'Only by an ADMIN' })),
    role: Type.Optional(Role),
    ...credentialFields,
  },
  {
    $id: 'UserPatch',
    examples: [{ name: 'Ana Souza', phone: '+55 48 99999-8888' }],
    ...bodyOf('User', { record: User, elsewhere: { password: 'POST /users/change-password' } }),
  },
)

/** D52: 14 days if absent, -1 for no expiry. The bounds are checked in users/tokens/token.ts. */
const ttl = Type.Optional(
  Type.Integer({ description: 'Seconds the token lives; -1 for ever', examples: [1209600] }),
)

export const Login = Type.Object(
  {
    email: Type.String({ maxLength: 254, examples: ['contato@aurora.example'] }),
    password: Type.String({ maxLength: 200, examples: ['correct horse battery'] }),
    ttl,
    code: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Of the second factor, if it is enabled: from the app, or a recovery code',
      }),
    ),
  },
  {
    $id: 'Login',
    examples: [{ email: 'contato@aurora.example', password: 'correct horse battery', ttl: 1209600 }],
    ...bodyOf('Login'),
  },
)

const tokenName = Type.String({ minLength: 1, maxLength: 100, examples: ['CRM of the sales team'] })

/** D204: without them, a token does all that its user may do. */
const scopes = Type.Array(Scope, {
  minItems: 1,
  maxItems: 4,
  uniqueItems: true,
  description: 'What the token may be used for; without it, all that its user may do',
  examples: [['calls:place', 'calls:read']],
  ...expects({
    en: `must be a list of scopes without repetition: ${Scope.enum.join(', ')}`,
    pt: `deve ser uma lista de escopos sem repetição: ${Scope.enum.join(', ')}`,
  }),
})

/** D205: checked further in users/tokens/token-limits.ts. */
const addresses = Type.Array(Type.String({ maxLength: 49 }), {
  minItems: 1,
  maxItems: 50,
  description: 'Addresses and networks from which alone the token works; without it, any',
  examples: [['203.0.113.7', '2001:db8:7::/48']],
  ...expects({
    en: 'must be a list of 1 to 50 addresses or networks, such as 203.0.113.7 or 203.0.113.0/24',
    pt: 'deve ser uma lista de 1 a 50 endereços ou redes, como 203.0.113.7 ou 203.0.113.0/24',
  }),
})

export const NewAccessToken = Type.Object(
  {
    ttl,
    name: Type.Optional(tokenName),
    scopes: Type.Optional(scopes),
    addresses: Type.Optional(addresses),
    currentPassword: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Your password, for a token that outlives the one in use',
        examples: ['correct horse battery'],
      }),
    ),
    code: credentialFields.code,
  },
  {
    $id: 'NewAccessToken',
    examples: [{ ttl: 1209600, name: 'CRM of the sales team', scopes: ['calls:place', 'calls:read'] }],
    ...bodyOf('AccessToken'),
  },
)

export const AccessToken = Type.Object(
  {
    id: Type.String({
      description: 'The token itself; shown only now',
      examples: ['4Lh0Yx8bQmT2vN6cZrKp1Ws9DfGjHa3Ue7IoBtXn5MqVyPkRlCdEgSwJzAiFu0O8'],
    }),
    ttl: Type.Integer(),
    created: Instant,
    userId: User.properties.uuid,
    name: Type.Optional(tokenName),
    scopes: Type.Optional(Type.Array(Scope)),
    addresses: Type.Optional(Type.Array(Type.String())),
    user: Type.Optional(User),
  },
  {
    $id: 'AccessToken',
    examples: [
      {
        id: '4Lh0Yx8bQmT2vN6cZrKp1Ws9DfGjHa3Ue7IoBtXn5MqVyPkRlCdEgSwJzAiFu0O8',
        ttl: 1209600,
        created: '2026-11-15T12:30:00.000Z',
        userId: '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d',
      },
    ],
  },
)

export const ListedToken = Type.Object(
  {
    ref: Type.String({ format: 'uuid', description: 'Names the token without being it' }),
    name: nullable(tokenName),
    lastFour: Type.String({ examples: ['k3Qz'] }),
    ttl: Type.Integer(),
    created: Instant,
    expires: nullable(Instant),
    lastUsed: nullable(Instant),
    lastUsedAddress: nullable(Type.String({ examples: ['203.0.113.7'] })),
    scopes: Type.Unsafe<Scope[] | null>({
      type: ['array', 'null'],
      items: Scope,
      description: 'Null: all that its user may do',
      examples: [['calls:read']],
    }),
    addresses: Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'Null: any',
      examples: [['203.0.113.7']],
    }),
    kind: TokenKind,
    userAgent: nullable(
      Type.String({
        description: 'Of a session: the browser',
        examples: ['Mozilla/5.0 (X11; Linux x86_64)'],
      }),
    ),
    fromLogin: Type.Boolean({ description: 'Issued by a login, not made with another token' }),
    current: Type.Boolean({ description: 'Whether this request was made with it' }),
  },
  { $id: 'ListedToken' },
)

export const ChangedPassword = Type.Object(
  {
    oldPassword: Type.String({
      maxLength: 200,
      description: 'The current password',
      examples: ['correct horse battery'],
    }),
    newPassword: Type.String({
      description: '8 to 200 characters',
      examples: ['a better horse battery'],
    }),
    code: credentialFields.code,
  },
  {
    $id: 'ChangedPassword',
    examples: [{ oldPassword: 'correct horse battery', newPassword: 'a better horse battery' }],
    ...bodyOf('User'),
  },
)

export const Invitation = Type.Object(
  { uuid: User.properties.uuid },
  { $id: 'Invitation', ...bodyOf('User') },
)

export const EmailOnly = Type.Object({ email }, { $id: 'EmailOnly', ...bodyOf('User') })

export const SetPassword = Type.Object(
  {
    token: Type.Optional(
      Type.String({
        description: 'From the link in the mail, unless it is in the query',
        examples: ['8xkFihDSchkRES8ax2pF5kIV8jYn1DLU'],
      }),
    ),
    newPassword: ChangedPassword.properties.newPassword,
  },
  { $id: 'SetPassword', ...bodyOf('User') },
)

/** What was done, in words, where there is nothing else to answer. */
export const Done = Type.Object(
  { message: Type.String({ examples: ['The password is set.'] }), localizedMessage: LocalizedMessage },
  { $id: 'Done' },
)
