/** Telephone numbers as people write them. Records have them as E.164 without the plus (D10). */

/** Calling codes of two digits; 1 and 7 have one, all others three. */
const twoDigits = /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/** A number of a record: Brazilian as it is written there, others with plus and country; extensions and services as they are. */
export function telephone(number: string): string {
  const digits = number.replace(/^\+/, '')
  if (!/^\d{8,15}$/.test(digits)) return number
  const [, first, last] = /^55800(\d{3})(\d{4})$/.exec(digits) ?? []
  if (first) return `0800 ${first} ${last}`
  return brazilian(digits.replace(/^55/, ''), digits.startsWith('55')) ?? international(digits)
}

/** A number that a person dialled: without a plus, the country may be missing. */
export function dialledTelephone(number: string): string {
  return brazilian(number, true) ?? telephone(number)
}

function brazilian(digits: string, isKnown: boolean): string | undefined {
  const [, area, first, last] = (isKnown && /^([1-9]{2})(\d{4,5})(\d{4})$/.exec(digits)) || []
  return area && `(${area}) ${first}-${last}`
}

function international(digits: string): string {
  const size = /^[17]/.test(digits) ? 1 : twoDigits.test(digits) ? 2 : 3
  const rest = digits.slice(size)
  const last = rest.length % 3 === 0 ? 3 : 4
  const groups = rest.slice(0, -last).match(/\d{1,3}/g) ?? []
  return `+${digits.slice(0, size)} ${[...groups, rest.slice(-last)].join(' ')}`
}

/** A number of a record as it is dialled: with its plus, so that none is taken for a Brazilian one without the country. */
export const dialable = (number: string): string => (/^\d{8,15}$/.test(number) ? `+${number}` : number)
