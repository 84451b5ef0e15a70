/** Missed calls as a list to work off (D600): our addition to the contract. */

import { bodyOf } from '../schema/body.ts'
import { Instant, nullable } from '../schema/common.ts'
import { type Static, Type } from '../schema/type.ts'

const uuid = Type.String({ format: 'uuid' })

const number = Type.String({
  maxLength: 40,
  description: 'E.164 without plus, or anonymous',
  examples: ['5548999998888'],
})

const MissedDone = Type.Object({
  how: Type.Enum(['called_back', 'answered', 'marked'], {
    description: 'Somebody called the number, it called again and was answered, or somebody marked it',
  }),
  at: Instant,
  name: Type.String({ examples: ['Ana Souza'] }),
  user_uuid: nullable(uuid),
  call_id: nullable(uuid),
  answered: Type.Unsafe<boolean | null>({
    type: ['boolean', 'null'],
  }),
})

export const MissedCall = Type.Object(
  {
    number,
    calls: Type.Integer({ examples: [2] }),
    first_at: Instant,
    last_at: Instant,
    last_call_id: uuid,
    extension: Type.String({ examples: ['1000'] }),
    done: Type.Unsafe<Static<typeof MissedDone> | null>(Type.Union([MissedDone, Type.Null()])),
  },
  { $id: 'MissedCall' },
)
export type MissedCall = Static<typeof MissedCall>

export const MissedCalls = Type.Object(
  {
    open: Type.Integer({ description: 'How many numbers nobody has called back', examples: [1] }),
    openIsLowerBound: Type.Optional(
      Type.Literal(true, {
        description: 'There are more missed calls than the 1,000 newest, which are looked at',
      }),
    ),
    data: Type.Array(MissedCall, { description: 'At most 200, the newest first' }),
  },
  { $id: 'MissedCalls' },
)

export const MissedCallPatch = Type.Object(
  { number, done: Type.Boolean({ examples: [true] }) },
  { $id: 'MissedCallPatch', ...bodyOf('Call') },
)

export const missedStates = ['open', 'done', 'all'] as const
export type MissedState = (typeof missedStates)[number]
