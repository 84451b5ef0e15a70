/** One account as the operator sees it, and how the operator suspends and releases it (D616). */
import { bodyOf } from './schema/body.ts'
import { Instant, nullable } from './schema/common.ts'
import { type Static, Type } from './schema/type.ts'

const text = (example: string) => Type.String({ examples: [example] })
const textOrNull = (example: string) => nullable(text(example))
const instantOrNull = nullable(Instant)
const reais = (example: number) => Type.Number({ description: 'Reais', examples: [example] })
const count = (example: number) => Type.Integer({ examples: [example] })

/** Why something is done to an account: the account reads it in its audit log, and its ADMINs by mail. */
export const Reason = Type.String({
  minLength: 3,
  maxLength: 500,
  pattern: '\\S',
  description: 'Why; recorded, and shown to the account',
  examples: ['Unpaid invoice 4711'],
})

const User = Type.Object({
  uuid: Type.String({ format: 'uuid' }),
  name: text('Ana Souza'),
  email: text('ana@clinica.example'),
  role: Type.Enum(['ADMIN', 'USER']),
  invited: Type.Boolean({ description: 'Has not accepted the invitation yet', examples: [false] }),
  lastLoginAt: instantOrNull,
})

const Token = Type.Object({
  ref: Type.String({ format: 'uuid' }),
  user: text('ana@clinica.example'),
  name: textOrNull('CRM'),
  kind: Type.Enum(['token', 'session']),
  lastFour: text('x7Qa'),
  createdAt: Instant,
  lastUsedAt: instantOrNull,
  lastUsedAddress: textOrNull('203.0.113.7'),
  expiresAt: instantOrNull,
})

const Phone = Type.Object({
  ramal: text('1000'),
  registeredAt: Instant,
  userAgent: textOrNull('Linphone/5.2'),
})

const Call = Type.Object({
  id: Type.String({ format: 'uuid' }),
  type: Type.Enum(['outbound', 'inbound', 'internal']),
  status: Type.Enum([
    'queued',
    'ringing',
    'answered',
    'completed',
    'busy',
    'no_answer',
    'failed',
    'cancelled',
  ]),
  from: text('1000'),
  to: text('5548999998888'),
  startedAt: Instant,
  duration: Type.Integer({ description: 'Seconds', examples: [42] }),
  cause: textOrNull('NORMAL_CLEARING'),
  price: Type.Unsafe<number | null>({ type: ['number', 'null'], description: 'Reais', examples: [0.12] }),
})

export const Charge = Type.Object({
  id: Type.Integer({ examples: [17] }),
  status: text('RECEIVED'),
  method: text('PIX'),
  amount: reais(50),
  createdAt: Instant,
  paidAt: instantOrNull,
})

const Entry = Type.Object({
  id: Type.Integer({ examples: [901] }),
  at: Instant,
  kind: Type.Enum(['trial', 'charge', 'refund', 'call', 'adjustment']),
  amount: reais(-0.12),
  balance: reais(49.88),
  description: text('Call to 5548999998888'),
})

const AuditEntry = Type.Object({
  id: Type.Integer({ examples: [77] }),
  at: Instant,
  action: text('token.created'),
  actor: textOrNull('ana@clinica.example'),
  subject: textOrNull('ana@clinica.example'),
  details: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    examples: [{ lastFour: 'x7Qa' }],
  }),
})

const suspension = {
  suspendedAt: nullable(
    Type.String({
      format: 'date-time',
      description: 'Null unless the account is suspended',
      examples: ['2026-11-15T12:30:00.000Z'],
    }),
  ),
  suspensionReason: textOrNull('Unpaid invoice 4711'),
}

/** The lists have the newest entries. */
export const OperatorAccountPage = Type.Object(
  {
    domain: text('clinica.ramal.localhost'),
    uuid: Type.String({ format: 'uuid' }),
    name: text('Clínica Aurora'),
    email: text('ana@clinica.example'),
    phone: text('+55 48 3333-4444'),
    timeZone: text('America/Sao_Paulo'),
    createdAt: Instant,
    activatedAt: instantOrNull,
    ...suspension,
    balance: reais(49.88),
    reserved: reais(0.06),
    limits: Type.Object({
      proof: textOrNull('payment'),
      callsAtOnce: count(100),
      callsAtOncePerExtension: count(10),
      callsPerDay: count(10_000),
      callsToday: count(12),
      spendingPerDay: reais(1_000),
      spentToday: reais(1.32),
      international: Type.Boolean({ examples: [false] }),
    }),
    users: Type.Array(User),
    tokens: Type.Array(Token),
    phones: Type.Array(Phone, { description: 'Registered phones' }),
    liveCalls: Type.Array(Call),
    calls: Type.Array(Call),
    charges: Type.Array(Charge),
    entries: Type.Array(Entry, { description: 'Of the ledger' }),
    audit: Type.Array(AuditEntry),
  },
  { $id: 'OperatorAccount' },
)
export type OperatorAccountPage = Static<typeof OperatorAccountPage>

export const OperatorSuspend = Type.Object(
  {
    reason: Reason,
    revokeTokens: Type.Optional(
      Type.Boolean({
        description:
          'Delete all access tokens, as after a theft. Otherwise they are refused while the account is suspended, and work again after that',
        examples: [false],
      }),
    ),
  },
  bodyOf('Account'),
)
export const OperatorRelease = Type.Object({ reason: Reason }, bodyOf('Account'))

export const OperatorSuspension = Type.Object(
  { domain: text('clinica.ramal.localhost'), ...suspension },
  { $id: 'OperatorSuspension' },
)

export const OperatorLookIn = Type.Object(
  { user: Type.String({ format: 'uuid', description: 'As whom' }), reason: Reason },
  bodyOf('Account'),
)
export const OperatorLookInBegun = Type.Object(
  { domain: text('clinica.ramal.localhost'), user: text('ana@clinica.example'), until: Instant },
  { $id: 'OperatorLookIn' },
)
