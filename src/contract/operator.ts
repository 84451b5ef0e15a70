/** What the operator console reads and sends (D320 to D322): routes of the service beside the API. */

import type { AccountProof, AlertRule, LimitSource } from './accounts/account-limits.ts'
import type { Proof } from './accounts/numbers.ts'
import { bodyOf } from './schema/body.ts'
import { type Static, Type } from './schema/type.ts'

/** `operator` is null in a session that began with the operator token. */
export type OperatorAccess = { version: string; operator: { name: string; email: string } | null }

export type OperatorTrunk = {
  name: string
  /** Sum over all nodes. */
  channels: number
  used: number
  problems: string[]
}

export type OperatorNode = {
  id: string
  host: string | null
  roles: string[]
  address: string | null
  state: 'active' | 'draining' | 'stopped' | 'lost'
  calls: number
  phones: number
  version: string | null
  /** Ahead of the database's clock. */
  clockOffsetSeconds: number | null
  startedAt: string
  trunks: OperatorTrunk[]
}

export type QueueName = 'deliveries' | 'mails' | 'recordings' | 'payments'

export type OperatorQueue = { name: QueueName; waiting: number; oldest: string | null }

export type OperatorProblem = { at: string; detail: string } & (
  | { kind: 'node-lost' | 'clock' | 'trunk'; node: string }
  | { kind: 'webhook'; domain: string }
  | { kind: 'mail' | 'mail-given-up'; recipient: string }
  | { kind: 'alert'; domain: string; rule: AlertRule }
  | { kind: 'log' }
)

/** Everything of the first page. */
export type OperatorOverview = {
  nodes: OperatorNode[]
  queues: OperatorQueue[]
  problems: OperatorProblem[]
}

export type OperatorPage<T> = { rows: T[]; total: number; page: number; perPage: number }

export type OperatorAccount = {
  domain: string
  name: string
  email: string
  createdAt: string
  /** Null until somebody has confirmed the e-mail. */
  activatedAt: string | null
  suspendedAt: string | null
  /** Reais. */
  balance: number
  reserved: number
  limits: OperatorLimits
}

type Limit<T> = { value: T; source: LimitSource }

export type OperatorLimits = {
  proof: AccountProof | null
  callsAtOnce: Limit<{ extension: number; account: number }>
  callsPerDay: Limit<number>
  /** Reais. */
  spendingPerDay: Limit<number>
  international: Limit<boolean>
  /** Prefixes that are off for others. */
  ranges: string[]
}

/** What the account has used of its day. */
type OperatorUse = { calls: number; spent: number; dayEnds: string | null }

type OperatorRange = { prefix: string; name: string; enabled: boolean }

export type OperatorAccountDetail = {
  domain: string
  limits: OperatorLimits
  use: OperatorUse
  ranges: OperatorRange[]
}

export type OperatorNumber = {
  number: string
  domain: string
  proof: Proof | null
  verifiedAt: string | null
}

const count = Type.Optional(
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, maximum: 999_999_999 }),
)
const prefixes = Type.Optional(Type.Array(Type.String({ maxLength: 15 }), { maxItems: 100 }))

/** Undefined leaves a limit as it is, null means the default: as `ramal account limits`. */
export const OperatorLimitChange = Type.Object(
  {
    callsAtOnce: count,
    callsAtOncePerExtension: count,
    callsPerDay: count,
    /** Reais. */
    spendingPerDay: Type.Optional(
      Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, maximum: 9_999_999 }),
    ),
    international: Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })),
    proven: Type.Optional(Type.Boolean()),
    allow: prefixes,
    bar: prefixes,
  },
  bodyOf('Account'),
)
export type OperatorLimitChange = Static<typeof OperatorLimitChange>

export const OperatorAssignment = Type.Object(
  {
    number: Type.String({ minLength: 1, maxLength: 40 }),
    domain: Type.String({ minLength: 1, maxLength: 253 }),
  },
  bodyOf('PhoneNumber'),
)

export const OperatorDrain = Type.Object({ draining: Type.Boolean() }, bodyOf('Request'))

export const OperatorSignIn = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 500 }) },
  bodyOf('Login'),
)
