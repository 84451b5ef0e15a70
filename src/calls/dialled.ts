/** Reads what was dialled (D10: number forms): a phone number, an extension of the account, or a refusal. */
import { readDialledPhone } from '../kit/text/phone.ts'

/** `feature code`: of a PBX, such as *97; there are none. */
export type DialledRefusal = 'invalid' | 'barred' | 'emergency' | 'feature code'

export type Dialled =
  /** E.164 without plus. */
  | { number: string }
  /** D272: a service or an emergency number that a trunk takes, as it was dialled. */
  | { service: string }
  /** Has the form of an extension number; it may not exist. */
  | { extension: string }
  | { refused: DialledRefusal }

/**
 * Emergency calls need a phone whose location is known, so they are refused unless the operator has a trunk for them. They
 * come before extensions of the same number: a person who dials 190 wants the police, not a colleague.
 */
const emergency = new Set(['112', '911', '190', '191', '192', '193', '194', '197', '198', '199'])

/** `services`: those of all trunks; they come before extensions too. */
export function readDialled(text: string, services: ReadonlySet<string>): Dialled {
  const bare = text.replace(/[\s().-]/g, '')
  if (services.has(bare)) return { service: bare }
  if (emergency.has(bare)) return { refused: 'emergency' }
  if (/^\d{2,6}$/.test(bare)) return { extension: bare }
  if (/^[*#]/.test(bare)) return { refused: 'feature code' }
  const phone = readDialledPhone(text)
  if (!phone) return { refused: 'invalid' }
  return phone.premium ? { refused: 'barred' } : { number: phone.number }
}
