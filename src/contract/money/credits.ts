/** Credit as the outside sees it: our addition to the contract (D42). */

import { Instant } from '../schema/common.ts'
import { Type } from '../schema/type.ts'

/** Why the balance changed. */
export const entryKinds = ['trial', 'charge', 'refund', 'call', 'adjustment'] as const
export type EntryKind = (typeof entryKinds)[number]

const reais = (description: string, example: number) => Type.Number({ description, examples: [example] })

export const Balance = Type.Object(
  {
    balance: reais('Reais in the account', 25.4),
    reserved: reais('Of these, set aside for calls under way', 0.24),
    available: reais('The rest', 25.16),
    currency: Type.Literal('BRL'),
  },
  { $id: 'Balance' },
)

export const StatementEntry = Type.Object(
  {
    id: Type.Integer(),
    at: Instant,
    kind: Type.Enum([...entryKinds]),
    amount: reais('Reais that came (above zero) or went', -0.12),
    balance: reais('Reais in the account after it', 25.4),
    reference: Type.String({
      description: 'What it is for; no two entries share one',
      examples: ['call:0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'],
    }),
    description: Type.String({ examples: ['Call to 5548999998888'] }),
  },
  { $id: 'StatementEntry' },
)

/** D306: what a call to a number costs. */
export const RateOfCall = Type.Object(
  {
    to: Type.String({ description: 'The number, with country code', examples: ['5548999998888'] }),
    name: Type.String({ description: 'Of the rate', examples: ['Brasil celular'] }),
    prefix: Type.String({ examples: ['5548'] }),
    minute_price: reais('A minute', 0.12),
    firstBlock: Type.Integer({ description: 'Seconds billed at least', examples: [30] }),
    step: Type.Integer({ description: 'Seconds of each further block', examples: [6] }),
    grace: Type.Integer({ description: 'A call up to so many seconds is free', examples: [3] }),
    currency: Type.Literal('BRL'),
  },
  { $id: 'RateOfCall' },
)
