/** Calls as the outside sees them (spec §4.1). */
import { Type } from 'typebox'
import { closed } from './common.ts'

/** D1. */
export const callTypes = ['outbound', 'inbound', 'internal'] as const
export type CallType = (typeof callTypes)[number]

/** D14. While the destination is being dialled the list goes on showing `ringing`. */
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

/** `spooled`: on the voice node's disk still. `removed`: older than the retention. */
export type RecordingState = 'spooled' | 'stored' | 'removed'

const metadata = Type.Optional(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'Anything of yours: up to 16 KiB of JSON, 8 levels deep (D12). Told with every event of the call.',
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
  description: 'Country code, area code and number, or another extension of the account (D10)',
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
        description: 'What the phone of the extension shows: its number, or one of the account (D11)',
        examples: ['1000'],
      }),
    ),
    called,
    extension,
    metadata,
  },
  { $id: 'NewCall', ...closed },
)

/** D4 */
export const PlacedCall = Type.Object({ status, message, id }, { $id: 'PlacedCall' })

export const NewDial = Type.Object({ extension, phone: called, metadata }, { $id: 'NewDial', ...closed })

/** D5: `id` is good for hanging up only; `callId` is the one of the list. */
export const PlacedDial = Type.Object(
  { id: Type.String({ examples: ['2xRk7Tq0VbYc3mNfPzW9sLdGhJa'] }), message, callId: id },
  { $id: 'PlacedDial' },
)

/** D13: by the id of the call, or by the one that the dialer gave. */
export const Hangup = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 200, examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'] }) },
  { $id: 'Hangup', ...closed },
)
