/** Brazilian tax ids: CPF of people, CNPJ of companies; since July 2026 a CNPJ may have letters (D39). */

export type TaxId = {
  /** Without punctuation, letters in upper case. */
  id: string
  /** D38: natural or legal person, by the kind of tax id. */
  person: 'FISICA' | 'JURIDICA'
}

const punctuation = /[\s./-]/g

/** Returns the id as it is stored; undefined if its form or its check digits are wrong. */
export function readTaxId(text: string): TaxId | undefined {
  if (text.length > 40) return undefined
  const id = text.replace(punctuation, '').toUpperCase()
  // Ids of one repeated digit have valid check digits but are never issued.
  if (/^(.)\1*$/.test(id)) return undefined
  if (/^\d{11}$/.test(id)) return endsInChecks(id, 9, 11) ? { id, person: 'FISICA' } : undefined
  if (/^[0-9A-Z]{12}\d{2}$/.test(id)) return endsInChecks(id, 12, 9) ? { id, person: 'JURIDICA' } : undefined
  return undefined
}

function endsInChecks(id: string, length: number, maxWeight: number): boolean {
  const first = checkDigit(id.slice(0, length), maxWeight)
  return id.slice(length) === `${first}${checkDigit(id.slice(0, length) + first, maxWeight)}`
}

/** Modulo 11: weights grow from 2 from right to left, and start again after `maxWeight`. */
function checkDigit(part: string, maxWeight: number): number {
  let sum = 0
  for (let index = 0; index < part.length; index++) {
    const weight = 2 + ((part.length - 1 - index) % (maxWeight - 1))
    // A letter counts as its code less that of zero: A is 17.
    sum += (part.charCodeAt(index) - 48) * weight
  }
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}
