/** Schemas for results of calls and outcomes of an account (D592, D593). */

import { bodyOf, expects } from '../schema/body.ts'
import { Instant, nullable } from '../schema/common.ts'
import { type Static, Type } from '../schema/type.ts'

const maxTags = 10
const maxTagLength = 40
const maxOutcomes = 30

const outcome = nullable(
  Type.String({
    maxLength: 40,
    description: 'What came of the call: the key of one of the outcomes of the account; null: none yet',
    examples: ['sale'],
  }),
)
const tag = Type.String({ minLength: 1, maxLength: maxTagLength, examples: ['vip'] })
const tags = Type.Array(tag, {
  maxItems: maxTags,
  description: 'In lower case and alphabetical order, each once',
  examples: [['promo', 'vip']],
})
const notes = Type.String({
  maxLength: 4000,
  description: 'Anything that was noted about the call; empty if nothing was',
  examples: ['Wants an offer by Friday.'],
})

/** The result of a call as its record shows it. */
export const resultFields = { outcome, tags, notes }
export const resultFieldNames = Object.keys(resultFields) as (keyof typeof resultFields)[]

export const CallPatch = Type.Object(
  { outcome: Type.Optional(outcome), tags: Type.Optional(tags), notes: Type.Optional(notes) },
  { $id: 'CallPatch', ...bodyOf('Call') },
)
export type CallPatch = Static<typeof CallPatch>

export const CallChange = Type.Object(
  {
    revision: Type.Integer({ description: 'How many changes the call had by then', examples: [1] }),
    at: Instant,
    user_uuid: Type.String({
      format: 'uuid',
      description: 'The user who made the change',
      examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'],
    }),
    user_name: Type.String({ description: 'Their name at the time', examples: ['Ana Souza'] }),
    ...resultFields,
  },
  { $id: 'CallChange' },
)

export const Outcome = Type.Object(
  {
    key: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
      description: 'What calls keep and programs compare; it never changes',
      examples: ['sale'],
      ...expects({
        en: 'must be 1 to 40 small letters, digits, - or _',
        pt: 'deve ter de 1 a 40 letras minúsculas, dígitos, - ou _',
      }),
    }),
    label: Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'What people read',
      examples: ['Sale'],
    }),
  },
  { $id: 'Outcome' },
)
export type Outcome = Static<typeof Outcome>

export const Outcomes = Type.Object(
  { outcomes: Type.Array(Outcome, { description: 'In the order in which people choose from them' }) },
  { $id: 'Outcomes' },
)

export const OutcomesChoice = Type.Object(
  {
    outcomes: Type.Array(Outcome, {
      maxItems: maxOutcomes,
      description: 'All of them, in order. An empty list brings back those that the service suggests.',
    }),
  },
  { $id: 'OutcomesChoice', ...bodyOf('Account') },
)
