/** Phone numbers, with the full metadata: the small one takes numbers that cannot exist (D56). */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/**
 * The number in E.164 without plus, or undefined if there is no such number. Brazilian numbers come
 * with or without 55 (the area code 55 is told from it by length), others with a plus.
 */
export function readPhone(text: string): string | undefined {
  if (text.length > 40 || !/^\+?[\d\s().-]+$/.test(text)) return undefined
  const number = parsePhoneNumberFromString(text, 'BR')
  return number?.isValid() ? number.number.slice(1) : undefined
}
