/**
 * Whether a text is a number of JSON that PostgreSQL can hold. Longer numbers, and
 * exponents of four digits, only ever match as text.
 */
export function isJsonNumber(text: string): boolean {
  return text.length <= 100 && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(text)
}
