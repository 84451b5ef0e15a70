/** Brazilian tax ids: CPF of people, CNPJ of companies, the latter with letters too since July 2026 (D39). */

export type TaxId = {
  /** Without mask, letters in upper case. */
  id: string
  /** D38 */
  person: 'FISICA' | 'JURIDICA'
}

const mask = /[\s./-]/g

/** The id as it is kept, or undefined if its check digits, or it at all, are wrong. */
export function readTaxId(text: string): TaxId | undefined {
  if (text.length > 40) return undefined
  const id = text.replace(mask, '').toUpperCase()
  // Arithmetically valid, and given to nobody.
  if (/^(.)\1*$/.test(id)) return undefined
  if (/^\d{11}$/.test(id)) return endsInChecks(id, 9, 11) ? { id, person: 'FISICA' } : undefined
  if (/^[0-9A-Z]{12}\d{2}$/.test(id)) return endsInChecks(id, 12, 9) ? { id, person: 'JURIDICA' } : undefined
  return undefined
}

function endsInChecks(id: string, length: number, heaviest: number): boolean {
  const first = checkDigit(id.slice(0, length), heaviest)
  return id.slice(length) === `${first}${checkDigit(id.slice(0, length) + first, heaviest)}`
}

/** Modulo 11, weights from 2 upwards from the right, beginning again after the heaviest. */
function checkDigit(part: string, heaviest: number): number {
  let sum = 0
  for (let index = 0; index < part.length; index++) {
    const weight = 2 + ((part.length - 1 - index) % (heaviest - 1))
    // A letter counts as its code less that of zero: A is 17.
    sum += (part.charCodeAt(index) - 48) * weight
  }
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}
