/** What somebody wants to call (D10): a phone number, an extension of the account, or nothing we may call. */
import { readDialledPhone } from '../kit/phone.ts'

export type Dialled =
  /** E.164 without plus. */
  | { number: string }
  /** Looks like one; whether there is one, the account knows. */
  | { extension: string }
  | { refused: 'invalid' | 'barred' }

/**
 * Numbers that save lives go through a phone that is where its caller is, never through us. They come before
 * extensions of the same number: who calls 190 wants the police, not a colleague.
 */
const emergency = new Set(['112', '911', '190', '191', '192', '193', '194', '197', '198', '199'])

export function readDialled(text: string): Dialled {
  const bare = text.replace(/[\s().-]/g, '')
  if (emergency.has(bare)) return { refused: 'barred' }
  if (/^\d{2,6}$/.test(bare)) return { extension: bare }
  const phone = readDialledPhone(text)
  if (!phone) return { refused: 'invalid' }
  return phone.premium ? { refused: 'barred' } : { number: phone.number }
}
