/** The session of the web console as the outside sees it: our addition to the contract (D296). */

import { Account, AccountSettings } from './accounts/accounts.ts'
import { Login, User } from './accounts/users.ts'
import { Balance } from './money/credits.ts'
import { bodyOf } from './schema/body.ts'
import { Instant, nullable } from './schema/common.ts'
import { Type } from './schema/type.ts'

export const NewSession = Type.Object(
  {
    email: Login.properties.email,
    password: Login.properties.password,
    code: Login.properties.code,
    keep: Type.Optional(
      Type.Boolean({
        description:
          'Until 14 days after the last use; else until 12 hours after it, or the browser is closed',
      }),
    ),
  },
  {
    $id: 'NewSession',
    examples: [{ email: 'contato@aurora.example', password: 'correct horse battery', keep: true }],
    ...bodyOf('Login'),
  },
)

const orNull = <T extends Type.TObject>(record: T) =>
  Type.Unsafe<Type.Static<T> | null>(Type.Union([record, Type.Null()]))

export const Session = Type.Object(
  {
    user: User,
    account: Type.Object({
      uuid: Account.properties.uuid,
      domain: Account.properties.domain,
      name: Account.properties.name,
      timeZone: Type.String({ examples: ['America/Sao_Paulo'] }),
      language: Type.Enum(['pt', 'en']),
      callVisibility: AccountSettings.properties.callVisibility,
    }),
    balance: orNull(Balance),
    session: orNull(
      Type.Object(
        {
          ref: Type.String({ format: 'uuid', description: 'As in the list of access tokens' }),
          keep: Type.Boolean(),
          expires: Instant,
        },
        { description: 'Null for a request with an access token in Authorization' },
      ),
    ),
    lookIn: orNull(
      Type.Object(
        {
          reason: Type.String({ examples: ['Ticket 4711: no sound'] }),
          until: Instant,
        },
        { description: 'The operator looks at the account as this user sees it, to read only; else null' },
      ),
    ),
    features: Type.Object({
      gateway: Type.String({ description: 'Of payments', examples: ['sandbox'] }),
      recordingDays: Type.Integer({ description: 'For how long recordings are kept', examples: [90] }),
      webPhone: nullable(
        Type.String({
          description: 'Where the phone of the browser registers; null if it cannot',
          examples: ['wss://voz.example/sip'],
        }),
      ),
      sandboxCarrier: Type.Boolean({ description: 'Calls go to a carrier for trying, not to telephones' }),
    }),
    version: Type.String({ description: 'Of the service', examples: ['1.0.0'] }),
  },
  { $id: 'Session' },
)
