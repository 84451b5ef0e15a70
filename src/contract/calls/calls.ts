/** Calls as the outside sees them (spec §4.1). */

import { bodyOf, expects } from '../schema/body.ts'
import { Type } from '../schema/type.ts'

/** D1: three kinds of call, from the account's point of view. */
export const callTypes = ['outbound', 'inbound', 'internal'] as const
export type CallType = (typeof callTypes)[number]

/** D14: the states of a call. While the destination is dialled the list keeps showing `ringing`. */
export const callStatuses = [
  'queued',
  'ringing',
  'connecting',
  'answered',
  'completed',
  'busy',
  'no_answer',
  'failed',
  'cancelled',
] as const
export type CallStatus = (typeof callStatuses)[number]

/** D584: who ended a call; `destination` is the other party, also of an inbound call. */
export const callSides = ['extension', 'destination', 'service'] as const
export type CallSide = (typeof callSides)[number]

/** `spooled`: still on the voice node's disk. `removed`: deleted after the retention period. */
export type RecordingState = 'spooled' | 'stored' | 'removed' | 'lost'

const metadata = Type.Optional(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'Anything of yours: up to 16 KiB of JSON, 8 levels deep. Sent with every event of the call.',
      examples: [{ lead_id: 4711, campaign: 'spring' }],
    },
  ),
)
const extension = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Number of the extension whose phone rings first',
  examples: ['1000'],
})
const called = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Country code, area code and number, or another extension of the account',
  examples: ['5548999998888'],
})
const id = Type.String({ format: 'uuid', examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'] })
const status = Type.Literal('200')
const message = Type.String({ examples: ['successful request'] })

export const NewCall = Type.Object(
  {
    caller: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'What the phone of the extension shows: its number, or one of the account',
        examples: ['1000'],
      }),
    ),
    called,
    extension,
    metadata,
  },
  { $id: 'NewCall', ...bodyOf('Call') },
)

/** D4: the answer of placing a call. */
export const PlacedCall = Type.Object({ status, message, id }, { $id: 'PlacedCall' })

export const NewDial = Type.Object(
  { extension, phone: called, metadata },
  { $id: 'NewDial', ...bodyOf('Call') },
)

/** D5: `id` can only be used to hang up; `callId` is the id in the list. */
export const PlacedDial = Type.Object(
  { id: Type.String({ examples: ['2xRk7Tq0VbYc3mNfPzW9sLdGhJa'] }), message, callId: id },
  { $id: 'PlacedDial' },
)

/** D280: keys that are sent into a call. */
export const NewKeys = Type.Object(
  {
    digits: Type.String({
      minLength: 1,
      maxLength: 32,
      pattern: '^[0-9*#A-Da-d]+$',
      description: 'Pressed one after the other, five in a second',
      examples: ['1234#'],
      ...expects({
        en: 'must be 1 to 32 of the keys 0 to 9, *, # and A to D',
        pt: 'deve ter de 1 a 32 das teclas 0 a 9, *, # e A a D',
      }),
    }),
    to: Type.Optional(
      Type.Enum(['destination', 'extension'], {
        description: 'Who gets them: the far side of the call, which is the default, or the extension',
        examples: ['destination'],
      }),
    ),
  },
  { $id: 'NewKeys', ...bodyOf('Call') },
)

/** D282: where a call is transferred to. */
export const NewTransfer = Type.Object({ to: called }, { $id: 'NewTransfer', ...bodyOf('Call') })

/** D282: `transferId` is the id of the second call, which connects the new party. */
export const TransferredCall = Type.Object(
  { status, message, id, transferId: id },
  { $id: 'TransferredCall' },
)

/** D13: by the call's id, or by the id that POST /dialer returned. */
export const Hangup = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 200, examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'] }) },
  { $id: 'Hangup', ...bodyOf('Call') },
)
