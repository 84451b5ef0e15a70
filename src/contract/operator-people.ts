/** Operators of the service, and how they log in (D648 to D650). */
import { bodyOf } from './schema/body.ts'
import { Instant, nullable } from './schema/common.ts'
import { type Static, Type } from './schema/type.ts'

const operatorStates = ['invited', 'active', 'off'] as const
export type OperatorState = (typeof operatorStates)[number]

const name = Type.String({ minLength: 1, maxLength: 120, examples: ['Rita Campos'] })
const email = Type.String({ minLength: 1, maxLength: 254, examples: ['rita@operator.example'] })
const givenPassword = Type.String({ maxLength: 500, examples: ['correct horse battery'] })

const Person = Type.Object({
  id: Type.Integer({ examples: [1] }),
  name,
  email,
  state: Type.Enum([...operatorStates], {
    description:
      '`invited` until the set-up link was used, and again after a reset; one that is `off` cannot log in',
  }),
  createdAt: Instant,
  lastLoginAt: nullable(Instant),
  linkExpiresAt: nullable(Instant),
})
export type OperatorPerson = Static<typeof Person>

export const OperatorPeople = Type.Object({ rows: Type.Array(Person) }, { $id: 'Operators' })

export const OperatorPersonSwitched = Type.Object(Person.properties, { $id: 'Operator' })

export const OperatorInvited = Type.Object(
  {
    ...Person.properties,
    link: Type.String({
      description: 'Works once; give it to the operator. It is shown only now',
      examples: ['https://voice.example.com/operator/set-up#4Jq0cXb6vT2mZ8sLk1Rw9yNd3GfHp7Ua'],
    }),
  },
  { $id: 'OperatorInvited' },
)
export type OperatorInvited = Static<typeof OperatorInvited>

/** D650 */
const currentPassword = Type.Optional(
  Type.String({
    maxLength: 500,
    description:
      'Your own password; of a session that began with the operator token, that token. Not needed with the token in `Authorization`',
    examples: ['correct horse battery'],
  }),
)
const reason = Type.String({
  minLength: 3,
  maxLength: 500,
  pattern: '\\S',
  description: 'Why; recorded in the log of the operator',
  examples: ['Lost the phone'],
})

export const OperatorNewPerson = Type.Object({ name, email, currentPassword }, bodyOf('Operator'))

export const OperatorPersonReset = Type.Object(
  {
    secondFactor: Type.Optional(
      Type.Boolean({
        description:
          'Also set up another authenticator app; otherwise the link asks for a code of the present one, or a recovery code',
        examples: [true],
      }),
    ),
    reason,
    currentPassword,
  },
  bodyOf('Operator'),
)

export const OperatorPersonSwitch = Type.Object(
  { on: Type.Boolean({ examples: [false] }), reason, currentPassword },
  bodyOf('Operator'),
)

export const OperatorLogin = Type.Object(
  {
    email,
    password: givenPassword,
    code: Type.Optional(Type.String({ minLength: 1, maxLength: 40, examples: ['123456'] })),
  },
  bodyOf('Login'),
)

const link = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The part of the set-up link after #',
  examples: ['4Jq0cXb6vT2mZ8sLk1Rw9yNd3GfHp7Ua'],
})

export const OperatorSetUpBegin = Type.Object({ link }, bodyOf('Operator'))

/** `secret` and `otpauthUri` if another authenticator app is to be set up. */
export type OperatorSetUpBegun = { name: string; email: string; secret?: string; otpauthUri?: string }

export const OperatorSetUpFinish = Type.Object(
  {
    link,
    password: givenPassword,
    code: Type.String({ minLength: 1, maxLength: 40, examples: ['123456'] }),
  },
  bodyOf('Operator'),
)

/** Recovery codes of a new second factor, shown only now. */
export type OperatorSetUpFinished = { email: string; recoveryCodes: string[] }
