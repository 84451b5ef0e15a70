/** Numbers of an account as the outside sees them: not in the contract, so in the spelling of its newer routes. */
import { Type } from 'typebox'
import { bodyOf } from './body.ts'
import { Instant, nullable } from './common.ts'

/** D187: how an account proved that a number is its own. */
export const proofs = ['operator', 'call', 'sandbox'] as const
export type Proof = (typeof proofs)[number]

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
    createdAt: Instant,
  },
  { $id: 'PhoneNumber' },
)

export const NewPhoneNumber = Type.Object(
  { number: anyNotation },
  { $id: 'NewPhoneNumber', ...bodyOf('PhoneNumber', { record: PhoneNumber }) },
)
