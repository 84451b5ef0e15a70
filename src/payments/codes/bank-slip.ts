/** The bank slip (boleto): the 44 digits of its bar code, and the 47 of the line typed instead of it. */
import type { Centavos } from '../../kit/text/money.ts'

type Slip = {
  /** Clearing code, 3 digits. */
  bank: string
  /** YYYY-MM-DD */
  dueDate: string
  amount: Centavos
  /** 25 digits, the bank's own. */
  freeField: string
}

const dayMs = 86_400_000
const brazilianReal = '9'

export function slipBarCode({ bank, dueDate, amount, freeField }: Slip): string {
  const head = bank + brazilianReal
  const rest = dueFactor(dueDate) + String(amount).padStart(10, '0') + freeField
  if (!/^\d{43}$/.test(head + rest)) throw new RangeError('the bank slip does not have its 43 digits')
  return head + modulo11(head + rest) + rest
}

export function slipLine(barCode: string): string {
  const free = barCode.slice(19)
  const fields = [barCode.slice(0, 4) + free.slice(0, 5), free.slice(5, 15), free.slice(15)]
  return fields.map((field) => field + modulo10(field)).join('') + barCode.slice(4, 19)
}

/** As printed: `46191.23450 67890.123457 67890.123457 1 16370000012345`. */
export function printedLine(line: string): string {
  return line.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8')
}

/** Days since 7 October 1997; after 9999, on 22 February 2025, it began at 1000 again. */
function dueFactor(dueDate: string): string {
  const days = Math.round((Date.parse(dueDate) - Date.UTC(1997, 9, 7)) / dayMs)
  return String(days <= 9999 ? days : 1000 + ((days - 10_000) % 9000)).padStart(4, '0')
}

function modulo10(digits: string): string {
  let sum = 0
  for (const [index, digit] of [...digits].reverse().entries()) {
    const product = Number(digit) * (index % 2 === 0 ? 2 : 1)
    sum += product > 9 ? product - 9 : product
  }
  return String((10 - (sum % 10)) % 10)
}

function modulo11(digits: string): string {
  let sum = 0
  for (const [index, digit] of [...digits].reverse().entries()) sum += Number(digit) * (2 + (index % 8))
  const check = 11 - (sum % 11)
  return String(check > 9 ? 1 : check)
}
