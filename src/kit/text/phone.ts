/** Phone numbers, checked with the library's full metadata: the smaller set accepts impossible numbers (D56). */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/**
 * Returns the number in E.164 without plus; undefined if it is not valid. Brazilian numbers may omit the country code
 * 55 (the area code 55 is distinguished by length); other numbers need a plus.
 */
export function readPhone(text: string): string | undefined {
  return parse(text)?.number.slice(1)
}

/** The same, and whether it is a premium-rate number, whose owner earns from calls to it. */
export function readDialledPhone(text: string): { number: string; premium: boolean } | undefined {
  const phone = parse(text)
  return phone && { number: phone.number.slice(1), premium: phone.getType() === 'PREMIUM_RATE' }
}

/** The country of a number in E.164 without plus, by its code in ISO 3166; +881 and the like for what is no country's. */
export function countryOf(number: string): string {
  const phone = parsePhoneNumberFromString(`+${number}`)
  return phone?.country ?? `+${phone?.countryCallingCode ?? number.slice(0, 3)}`
}

/** A number in E.164 without plus as people write it: Brazilian ones as in Brazil, others with plus. What is none stays as it is. */
export function writePhone(number: string): string {
  const phone = /^\d{8,15}$/.test(number) ? parsePhoneNumberFromString(`+${number}`) : undefined
  if (!phone) return number
  return phone.country === 'BR' ? phone.formatNational() : phone.formatInternational()
}

function parse(text: string) {
  if (text.length > 40 || !/^\+?[\d\s().-]+$/.test(text)) return undefined
  const phone = parsePhoneNumberFromString(text, 'BR')
  return phone?.isValid() ? phone : undefined
}
