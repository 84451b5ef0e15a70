/** Numbers of an account as the outside sees them: not in the contract, so in the spelling of its newer routes. */

import { bodyOf } from '../schema/body.ts'
import { Instant, LocalizedMessage, nullable } from '../schema/common.ts'
import { Type } from '../schema/type.ts'

/** D187: how an account proved that a number is its own. */
const proofs = ['operator', 'call', 'sandbox'] as const
export type Proof = (typeof proofs)[number]

/** How a call that was to verify a number ended. */
const codeCallOutcomes = ['verified', 'wrong-code', 'no-code', 'not-answered', 'taken', 'lost'] as const
export type CodeCallOutcome = (typeof codeCallOutcomes)[number]

const LastCall = Type.Object({
  startedAt: Instant,
  endedAt: nullable(Instant),
  outcome: Type.Unsafe<CodeCallOutcome | null>({
    type: ['string', 'null'],
    enum: [...codeCallOutcomes, null],
    description:
      'Null while the call lasts. `taken`: another account was first; `lost`: the service was interrupted',
    examples: ['verified'],
  }),
})

const anyNotation = Type.String({
  maxLength: 40,
  description: 'With country code, or Brazilian with area code',
  examples: ['+55 48 3333-4444'],
})

export const PhoneNumber = Type.Object(
  {
    id: Type.Integer(),
    number: Type.String({ description: 'With country code, digits only', examples: ['554833334444'] }),
    verified: Type.Boolean({
      description:
        'Whether the account has proven it. Only then those who are called see it, and calls to it ring here',
    }),
    proof: Type.Unsafe<Proof | null>({
      type: ['string', 'null'],
      enum: [...proofs, null],
      description: 'Assigned by the operator, verified by a call, or by the sandbox carrier',
      examples: ['call'],
    }),
    verifiedAt: nullable(Instant),
    lastCall: Type.Unsafe<Type.Static<typeof LastCall> | null>({
      ...LastCall,
      type: ['object', 'null'],
      description: 'The newest call that was to verify it; null if there was none in the last 30 days',
    }),
    createdAt: Instant,
  },
  { $id: 'PhoneNumber' },
)

export const NewPhoneNumber = Type.Object(
  { number: anyNotation },
  { $id: 'NewPhoneNumber', ...bodyOf('PhoneNumber', { record: PhoneNumber }) },
)

/** D188: the answer to a request to verify a number. */
export const NumberVerification = Type.Object(
  {
    number: PhoneNumber,
    code: nullable(
      Type.String({
        description: 'To be typed by the person who answers the call; null if no call is needed',
        examples: ['482193'],
      }),
    ),
    expiresAt: nullable(Instant),
    message: Type.String({
      examples: ['The number is being called. Answer, and type the code after the tone.'],
    }),
    localizedMessage: LocalizedMessage,
  },
  { $id: 'NumberVerification' },
)
