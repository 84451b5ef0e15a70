/** Money as whole numbers of its smallest part: no sum of ours is ever a broken number. */

/** `12.30` with two digits is 1230; undefined if it is no such number, or has more digits than that. */
export function readDecimal(text: string, digits: number): number | undefined {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d{1,12})(?:\.(\d{1,12}))?$/.exec(text) ?? []
  if (whole === '' || part.length > digits) return undefined
  const value = Number(whole + part.padEnd(digits, '0'))
  if (!Number.isSafeInteger(value)) return undefined
  return sign === '' || value === 0 ? value : -value
}

/** 1230 with two digits is `12.30`. */
export function writeDecimal(value: number, digits: number): string {
  const text = String(Math.abs(value)).padStart(digits + 1, '0')
  return `${value < 0 ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Reais as JSON has them, in centavos; undefined if there is more than the centavo. */
export function toCentavos(reais: number): number | undefined {
  return readDecimal(String(reais), 2)
}

export function toReais(centavos: number): number {
  return centavos / 100
}

/** For people who run the service. */
export function sayMoney(centavos: number): string {
  return `R$ ${writeDecimal(centavos, 2)}`
}

/** A quotient of whole numbers, halves upwards; exact, since nothing but whole numbers takes part. */
export function divideHalfUp(dividend: number, divisor: number): number {
  const doubled = 2 * dividend + divisor
  return (doubled - (doubled % (2 * divisor))) / (2 * divisor)
}
