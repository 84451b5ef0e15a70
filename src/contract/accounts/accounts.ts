/** Accounts as the outside sees them (spec §2.7, §4.4). */

import { bodyOf } from '../schema/body.ts'
import { Instant, LocalizedMessage, nullable } from '../schema/common.ts'
import { Type } from '../schema/type.ts'

const name = Type.String({ minLength: 1, maxLength: 120, examples: ['Padaria Aurora'] })
const email = Type.String({ maxLength: 254, examples: ['contato@aurora.example'] })
const phone = Type.String({ maxLength: 40, examples: ['+55 48 3333-4444'] })

export const Account = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    domain: Type.String({ examples: ['aurora.ramal.localhost'] }),
    name,
    email,
    phone,
    createdAt: Instant,
    updatedAt: Instant,
  },
  { $id: 'Account' },
)

export const AccountPatch = Type.Object(
  { name: Type.Optional(name), email: Type.Optional(email), phone: Type.Optional(phone) },
  {
    $id: 'AccountPatch',
    ...bodyOf('Account', {
      record: Account,
      elsewhere: Object.fromEntries(
        [
          'timeZone',
          'language',
          'recordingDays',
          'bina',
          'lowBalance',
          'callVisibility',
          'monthlyReport',
        ].map((field) => [field, 'PATCH /accounts/settings']),
      ),
    }),
  },
)

/** D599. */
const callVisibilities = ['account', 'own'] as const
export type CallVisibility = (typeof callVisibilities)[number]

const settings = {
  timeZone: Type.String({
    maxLength: 60,
    description: 'Days, hours and times without offset are local to it, also in statistics and webhooks',
    examples: ['America/Sao_Paulo'],
  }),
  language: Type.Enum(['pt', 'en'], {
    description: 'Of the console, for users who chose none, and of the monthly report',
  }),
  recordingDays: Type.Integer({
    minimum: 1,
    description: 'How long recordings are kept: at most as long as the service keeps them',
    examples: [30],
  }),
  bina: nullable(
    Type.String({
      maxLength: 40,
      description: 'Caller-ID of extensions that have none: a verified number of the account (see Numbers)',
      examples: ['554833334444'],
    }),
  ),
  lowBalance: Type.Number({
    minimum: 0,
    description: 'When the balance falls below so many reais, ADMINs get a mail and an event',
    examples: [20],
  }),
  callVisibility: Type.Enum([...callVisibilities], {
    description:
      'The calls that a USER sees and listens to: `account`, all of them, or `own`, those of their own extensions. An ADMIN always sees all',
  }),
  monthlyReport: Type.Boolean({
    description:
      'Whether ADMINs who confirmed their e-mail get a report of the month before by mail, on the 1st from 06:00 in the time zone of the account',
    examples: [true],
  }),
}

/** D325: our addition to the contract. */
export const AccountSettings = Type.Object(settings, { $id: 'AccountSettings' })

/** Null is the default of the service. */
const orDefault = (schema: object, type: 'integer' | 'number') =>
  Type.Optional(Type.Unsafe<number | null>({ ...schema, type: [type, 'null'] }))

export const AccountSettingsPatch = Type.Object(
  {
    timeZone: Type.Optional(settings.timeZone),
    language: Type.Optional(settings.language),
    recordingDays: orDefault(settings.recordingDays, 'integer'),
    bina: Type.Optional(settings.bina),
    lowBalance: orDefault(settings.lowBalance, 'number'),
    callVisibility: Type.Optional(settings.callVisibility),
    monthlyReport: Type.Optional(settings.monthlyReport),
  },
  { $id: 'AccountSettingsPatch', ...bodyOf('Account', { record: AccountSettings }) },
)

export const Signup = Type.Object(
  {
    organization_name: name,
    domain: Type.String({ maxLength: 253, examples: ['aurora.ramal.localhost'] }),
    email,
    password: Type.String({ minLength: 8, maxLength: 200, examples: ['correct horse battery'] }),
    phone,
    crm: Type.String({
      maxLength: 60,
      description: 'The CRM product in use, however it is written, or Outros for any other',
      examples: ['Outros'],
    }),
    user_quantity: Type.Enum(['1-5', '6-10', '11-20', '21-50', '50+']),
  },
  { $id: 'Signup', ...bodyOf('Account') },
)

export const SignedUp = Type.Object(
  {
    status: Type.Literal(201),
    message: Type.String({
      examples: ['Account created. Follow the link in the e-mail we sent to activate it.'],
    }),
    localizedMessage: LocalizedMessage,
  },
  { $id: 'SignedUp' },
)

export const AuditEntry = Type.Object(
  {
    id: Type.Integer(),
    at: Instant,
    action: Type.String({ examples: ['user.created'] }),
    actor: nullable(
      Type.String({
        description: 'E-mail of the user who did it, as it was then',
        examples: ['ana@aurora.example'],
      }),
    ),
    subject: nullable(
      Type.String({ description: 'What it was done to', examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'] }),
    ),
    details: Type.Record(Type.String(), Type.Unknown(), { examples: [{ role: 'USER' }] }),
  },
  { $id: 'AuditEntry' },
)
