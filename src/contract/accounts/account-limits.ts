/** What an account may do, as the outside sees it: our addition to the contract (D193 to D197). */

import { Instant, instantAs, nullable } from '../schema/common.ts'
import { Type } from '../schema/type.ts'

/** D195: what shows that a person or company stands behind an account. */
const proofs = ['tax-id', 'payment', 'operator'] as const
export type AccountProof = (typeof proofs)[number]

/** D197: what an alert is about. The first four blocked something, the others only inform. */
export const alertRules = [
  'calls-per-day',
  'spending-per-day',
  'calls-at-once',
  'destination',
  'velocity',
  'night',
  'new-country',
] as const
export type AlertRule = (typeof alertRules)[number]

/** Where a limit comes from: set by the operator for this account, or a default. */
const limitSources = ['account', 'new-account', 'default'] as const
export type LimitSource = (typeof limitSources)[number]

const source = Type.Enum([...limitSources], {
  description:
    'account: set for this account; new-account: the default until it is proven; default: that of the service',
  examples: ['new-account'],
})
const reais = (description: string, example: number) => Type.Number({ description, examples: [example] })

export const AccountLimits = Type.Object(
  {
    proven: Type.Boolean({
      description: 'Whether a tax id, a payment or the operator stands for the account',
    }),
    provenBy: nullable(
      Type.String({ description: `Which of them: ${proofs.join(', ')}`, examples: ['tax-id'] }),
    ),
    provenAt: nullable(Instant),
    dayBegan: nullable(
      Type.String({
        format: 'date-time',
        description: 'The first call of the day, which lasts 24 hours; null before the next one',
        examples: ['2026-11-15T12:30:00.000Z'],
      }),
    ),
    dayEnds: nullable(instantAs('2026-11-16T12:30:00.000Z')),
    callsPerDay: Type.Object({
      limit: Type.Integer({ examples: [200] }),
      used: Type.Integer({
        description: 'Calls to the outside, answered or not',
        examples: [12],
      }),
      source,
    }),
    spendingPerDay: Type.Object({
      limit: reais('Reais', 20),
      used: reais('Reais spent, and set aside for calls under way', 1.32),
      source,
    }),
    callsAtOnce: Type.Object({
      extension: Type.Integer({ examples: [10] }),
      account: Type.Integer({ examples: [100] }),
      source,
    }),
    integrations: Type.Object({
      perUser: Type.Integer({ examples: [50] }),
      perAccount: Type.Integer({ examples: [200] }),
    }),
    international: Type.Object({
      enabled: Type.Boolean({
        description: 'Whether numbers outside Brazil may be called',
        examples: [false],
      }),
      source,
    }),
    ranges: Type.Array(
      Type.Object({
        prefix: Type.String({ description: 'What the number begins with', examples: ['4470'] }),
        name: Type.String({ examples: ['United Kingdom, personal numbers'] }),
        reason: Type.String({ description: 'Why it is off', examples: ['Its owner earns from each call.'] }),
        enabled: Type.Boolean({ examples: [false] }),
      }),
      { description: 'Ranges that are off unless the operator enables them for the account' },
    ),
  },
  { $id: 'AccountLimits' },
)
