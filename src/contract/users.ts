/** Users and access tokens as the outside sees them (spec §2.6, §2.8, §4.7). */
import { type Static, Type } from 'typebox'
import { closed, Instant, nullable } from './common.ts'

export const Role = Type.Enum(['ADMIN', 'USER'], { description: 'What the user may do' })
export type Role = Static<typeof Role>

const name = Type.String({ minLength: 1, maxLength: 120, examples: ['Ana Souza'] })
const email = Type.String({ maxLength: 254, examples: ['ana@example.com'] })
const phone = Type.String({
  maxLength: 40,
  description: 'Brazilian with or without 55, others with a plus',
  examples: ['+55 48 99999-8888'],
})

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
  },
  { $id: 'CreatedUser' },
)

const password = Type.String({ minLength: 8, maxLength: 200, examples: ['correct horse battery'] })

export const NewUser = Type.Object(
  { name, email, password, phone, role: Role },
  { $id: 'NewUser', ...closed },
)

export const UserPatch = Type.Object(
  {
    uuid: Type.Optional(Type.String({ description: 'Another user of the account; only by an ADMIN' })),
    email: Type.Optional(email),
    name: Type.Optional(name),
    phone: Type.Optional(phone),
    emailVerified: Type.Optional(Type.Boolean({ description: 'Only by an ADMIN' })),
    role: Type.Optional(Role),
  },
  { $id: 'UserPatch', examples: [{ name: 'Ana Souza', phone: '+55 48 99999-8888' }], ...closed },
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
  },
  { $id: 'Login', ...closed },
)

export const NewAccessToken = Type.Object({ ttl }, { $id: 'NewAccessToken', ...closed })

export const AccessToken = Type.Object(
  {
    id: Type.String({
      description: 'The token itself; shown only now',
      examples: ['4Lh0Yx8bQmT2vN6cZrKp1Ws9DfGjHa3Ue7IoBtXn5MqVyPkRlCdEgSwJzAiFu0O8'],
    }),
    ttl: Type.Integer(),
    created: Instant,
    userId: User.properties.uuid,
  },
  { $id: 'AccessToken' },
)

export const ListedToken = Type.Object(
  {
    ref: Type.String({ format: 'uuid', description: 'Names the token without being it' }),
    lastFour: Type.String({ examples: ['u0O8'] }),
    ttl: Type.Integer(),
    created: Instant,
    expires: nullable(Instant),
    lastUsed: nullable(Instant),
    current: Type.Boolean({ description: 'Whether this request was made with it' }),
  },
  { $id: 'ListedToken' },
)
