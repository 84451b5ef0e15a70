/** A telephone number that an account uses as its caller-ID, and how the account proved that the number is its own. */

import type { CodeCallOutcome, Proof } from '../contract/accounts/numbers.ts'
import { problem, refuseFields } from '../contract/errors.ts'
import { readDialledPhone } from '../kit/text/phone.ts'

/**
 *   claimed ──▶ verified
 *      ▲           │ released
 *      └───────────┘
 */
export type OwnedNumber = {
  id: number
  /** E.164 without plus. */
  number: string
  /** Null until the number is verified. */
  verified: { proof: Proof; at: Date } | null
  /** The newest call that was to verify it; without an end while it lasts. */
  lastCall: { startedAt: Date; endedAt: Date | null; outcome: CodeCallOutcome | null } | null
  createdAt: Date
}

/** E.164 without plus. Premium numbers, which may not be called, cannot be verified either. */
export function readClaim(text: string): string {
  const phone = readDialledPhone(text)
  if (!phone) throw refuseFields('PhoneNumber', { number: [problem.noPhone] })
  if (phone.premium) throw refuseFields('PhoneNumber', { number: [premium] })
  return phone.number
}

const premium = {
  code: 'exclusion',
  message: {
    en: 'is a premium number, which cannot be presented',
    pt: 'é um número de tarifa especial, que não pode ser apresentado',
  },
}
