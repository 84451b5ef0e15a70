/**
 * Money as integers of its smallest unit, so that no sum is ever rounded. All conversions between units are here.
 * The `unit` of a type exists for the compiler only: it refuses centavos where a minute price is meant, and the reverse.
 */

export type Centavos = number & { readonly unit?: 'centavos' }

/** Ten-thousandths of a real for a minute of talk. */
export type MinutePrice = number & { readonly unit?: 'minute price' }

const centavoDigits = 2
const minutePriceDigits = 4

/** Sums in floating point are off by less than what follows these digits: 59.699999999999996 is 3 × 19.90. */
const exactDigits = 14

/** Reais as JSON has them; undefined if they have a fraction of a centavo. */
export function toCentavos(reais: number): Centavos | undefined {
  const exact = readDecimal(String(reais), centavoDigits)
  return exact ?? readDecimal(String(Number(reais.toPrecision(exactDigits))), centavoDigits)
}

/** Reais of others, rounded to the centavo. */
export function roundToCentavos(reais: number): Centavos {
  return Math.round(reais * 100)
}

export function toReais(amount: Centavos): number {
  return amount / 100
}

export function minutePriceToReais(price: MinutePrice): number {
  return price / 10_000
}

/** `12.30` is 1230; undefined if the text is not a decimal number of up to two digits. */
export function readCentavos(text: string): Centavos | undefined {
  return readDecimal(text, centavoDigits)
}

/** `0.1234` is 1234; undefined if the text is not a decimal number of up to four digits. */
export function readMinutePrice(text: string): MinutePrice | undefined {
  return readDecimal(text, minutePriceDigits)
}

/** 1230 is `12.30`. */
export function writeCentavos(amount: Centavos): string {
  return writeDecimal(amount, centavoDigits)
}

/** 1234 is `0.1234`. */
export function writeMinutePrice(price: MinutePrice): string {
  return writeDecimal(price, minutePriceDigits)
}

/** 1230 is `R$ 12.30`. */
export function formatCentavos(amount: Centavos): string {
  return `R$ ${writeCentavos(amount)}`
}

/** A centavo is 100 units of a minute price for 60 seconds. */
const priceSecondsInCentavo = 100 * 60

/** What the seconds cost, rounded half up. */
export function priceOfSeconds(price: MinutePrice, seconds: number): Centavos {
  return divideHalfUp(price * seconds, priceSecondsInCentavo)
}

/** The largest number of seconds whose price, rounded half up, is not above the amount. */
export function secondsPaidBy(amount: Centavos, price: MinutePrice): number {
  const tooMuch = priceSecondsInCentavo * (amount + 1) - priceSecondsInCentavo / 2
  return Math.floor((tooMuch - 1) / price)
}

/** `12.30` with two digits is 1230; undefined if the text is not a decimal number or has more digits. */
function readDecimal(text: string, digits: number): number | undefined {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d{1,12})(?:\.(\d{1,12}))?$/.exec(text) ?? []
  if (whole === '' || part.length > digits) return undefined
  const value = Number(whole + part.padEnd(digits, '0'))
  if (!Number.isSafeInteger(value)) return undefined
  return sign === '' || value === 0 ? value : -value
}

/** 1230 with two digits is `12.30`. */
function writeDecimal(value: number, digits: number): string {
  const text = String(Math.abs(value)).padStart(digits + 1, '0')
  return `${value < 0 ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** The quotient of integers, halves rounded up; exact, since only integers take part. */
export function divideHalfUp(dividend: number, divisor: number): number {
  const doubled = 2 * dividend + divisor
  return (doubled - (doubled % (2 * divisor))) / (2 * divisor)
}
