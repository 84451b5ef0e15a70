/** A call as the list shows it (spec §2.1). */

import { Instant, instantAs, nullable } from '../schema/common.ts'
import { type Static, type TSchema, Type } from '../schema/type.ts'
import { resultFields } from './call-results.ts'
import { callSides, callStatuses, callTypes } from './calls.ts'

/** D14: `connecting` is internal; the API shows `ringing` until the destination answers. */
export const shownStatuses = callStatuses.filter((status) => status !== 'connecting')

export function maybeNumber<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: ['number', 'null'] })
}

/** D584: of a call that is not over, null. */
export const endedBy = nullable(
  Type.Enum([...callSides], {
    description:
      'Who ended the call, or refused it: the extension, the other party (`destination`), or the service, also when somebody hung up over the API; null until it is over',
    examples: ['destination'],
  }),
)

export const CallRecord = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'] }),
    domain: Type.String({ examples: ['aurora.ramal.localhost'] }),
    call_type: Type.Enum([...callTypes]),
    status: Type.Enum(shownStatuses, { examples: ['completed'] }),
    started_at: Instant,
    answered_at: nullable(instantAs('2026-11-15T12:30:09.000Z')),
    ended_at: nullable(instantAs('2026-11-15T12:31:00.000Z')),
    from: Type.String({ description: 'The extension that made the call', examples: ['1000'] }),
    to: Type.String({ description: 'The destination', examples: ['5548999998888'] }),
    duration: Type.Integer({ description: 'Whole seconds from answer to end', examples: [51] }),
    hangup_cause: nullable(Type.String({ examples: ['NORMAL_CLEARING'] })),
    record_url: Type.String({
      description: 'Where the recording is; empty when there is none',
      examples: [''],
    }),
    email: Type.String({ examples: ['ana@example.com'] }),
    first_name: Type.String({ examples: ['Ana'] }),
    last_name: Type.String({ examples: ['Souza'] }),
    BINA: nullable(Type.String({ description: 'Caller-ID number', examples: ['554833334444'] })),
    user_uuid: nullable(
      Type.String({
        format: 'uuid',
        description:
          'The user who placed the call; of a call made or taken on a phone, the owner of the extension',
        examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'],
      }),
    ),
    extension_user_uuid: nullable(
      Type.String({
        format: 'uuid',
        description: 'The user to whom the extension belonged; null if to nobody',
        examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'],
      }),
    ),
    minute_price: maybeNumber(Type.Number({ description: 'Reais; null until priced', examples: [0.12] })),
    call_price: maybeNumber(Type.Number({ description: 'Reais; null until priced', examples: [0.1] })),
    metadata: Type.Record(Type.String(), Type.Unknown(), {
      description: 'As sent when the call was placed',
      examples: [{ lead_id: 42 }],
    }),
    // Last, since programs read CSV files by the order of their columns.
    ended_by: endedBy,
  },
  { $id: 'CallRecord' },
)

const recordingLost = Type.Boolean({
  description: 'It was to be recorded, and the recording could not be written, or its machine is gone',
  examples: [false],
})

/** D591, D592: what `fields` of `GET /calls` may name besides. */
export const ListedCall = Type.Object(
  {
    ...CallRecord.properties,
    recording_lost: Type.Optional(recordingLost),
    outcome: Type.Optional(resultFields.outcome),
    tags: Type.Optional(resultFields.tags),
    notes: Type.Optional(resultFields.notes),
  },
  { $id: 'ListedCall' },
)

/** D302: of the calls that began in one hour or day. */
export const CallStats = Type.Object(
  {
    at: Type.String({
      description:
        'Its beginning, local to the account; of an hour of the week, its day, from 1 for Monday, and hour: `1T09`',
      examples: ['2026-11-15T00:00:00'],
    }),
    group: Type.Optional(nullable(Type.String({ description: 'With `group` only', examples: ['outbound'] }))),
    calls: Type.Integer({ examples: [120] }),
    answered: Type.Integer({ examples: [87] }),
    seconds: Type.Integer({ description: 'Talked', examples: [10440] }),
    cost: Type.Number({ description: 'Reais', examples: [20.88] }),
  },
  { $id: 'CallStats' },
)

const peakList = (party: string) =>
  Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), {
    description: `${party}; 255 is the loudest`,
    examples: [[0, 12, 87, 64, 9]],
  })

/** D316: of a recording. */
export const RecordingPeaks = Type.Object(
  {
    seconds: Type.Number({ description: 'The length of the recording', examples: [51.2] }),
    extension: peakList(
      'The loudest sample of each part of the recording, parts of equal length, 1,000 at most',
    ),
    destination: peakList('The same of the other party'),
  },
  { $id: 'RecordingPeaks' },
)

/** D281: a key pressed in a call. */
const PressedKey = Type.Object({
  at: Instant,
  from: Type.Enum(['extension', 'destination', 'api'], { description: 'Who pressed it' }),
  to: Type.Enum(['extension', 'destination'], { description: 'Who received it', examples: ['destination'] }),
  key: Type.String({
    description: 'The key; `x` if the service does not keep keys, which may be those of a card',
    examples: ['x'],
  }),
})

export type PressedKey = Static<typeof PressedKey>

/** D284: of one leg. */
const LegQuality = Type.Object({
  packets: Type.Integer({ description: 'That arrived from the party', examples: [2550] }),
  loss: Type.Number({ description: 'Percent of its packets that did not arrive', examples: [0.4] }),
  dropped: Type.Optional(
    Type.Integer({ description: 'Lost because the service was too busy', examples: [0] }),
  ),
  jitter: Type.Number({ description: 'Milliseconds', examples: [3.2] }),
  roundTrip: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'Milliseconds to the party and back; null if its reports do not say',
    examples: [42],
  }),
  rFactor: Type.Number({
    description: 'Estimated by the E-model (G.107): 93 is the best, below 70 many users are dissatisfied',
    examples: [91.7],
  }),
})
export type LegQuality = Static<typeof LegQuality>

const maybeLeg = Type.Union([LegQuality, Type.Null()], { description: 'Null if nothing arrived' })
export const StoredQuality = Type.Object({ extension: maybeLeg, destination: maybeLeg })
export type StoredQuality = Static<typeof StoredQuality>

/** D281: what GET /calls/{id} shows besides the fields of the list. */
export const CallDetail = Type.Object(
  {
    ...CallRecord.properties,
    transferred_from: nullable(
      Type.String({
        format: 'uuid',
        description: 'The call that was transferred to this one',
        examples: [null],
      }),
    ),
    transfers: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid', examples: ['0193a2f4-9b1d-7e02-8c44-6a7b8c9d0e1f'] }),
        to: Type.String({ examples: ['1001'] }),
        at: Instant,
      }),
      { description: 'The calls that this one was transferred to, with their destinations' },
    ),
    recording_lost: recordingLost,
    quality: Type.Union([StoredQuality, Type.Null()], {
      description: 'How well the sound of each leg arrived; null until the call is over, or without sound',
    }),
    keys: Type.Array(PressedKey, {
      description: 'Keys pressed in the call, the first 200, once it is over',
    }),
    ...resultFields,
  },
  { $id: 'CallDetail' },
)
export type CallRecord = Static<typeof CallRecord>
