/** Phone numbers, with the full metadata: the small one takes numbers that cannot exist (D56). */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/**
 * The number in E.164 without plus, or undefined if there is no such number. Brazilian numbers come
 * with or without 55 (the area code 55 is told from it by length), others with a plus.
 */
export function readPhone(text: string): string | undefined {
  return parse(text)?.number.slice(1)
}

/** The same, and whether whoever calls it pays its owner. */
export function readDialledPhone(text: string): { number: string; premium: boolean } | undefined {
  const phone = parse(text)
  return phone && { number: phone.number.slice(1), premium: phone.getType() === 'PREMIUM_RATE' }
}

function parse(text: string) {
  if (text.length > 40 || !/^\+?[\d\s().-]+$/.test(text)) return undefined
  const phone = parsePhoneNumberFromString(text, 'BR')
  return phone?.isValid() ? phone : undefined
}
