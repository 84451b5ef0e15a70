import { malformed } from '../refusal.ts'
import { closingQuote } from './quoted.ts'
import { trimBlanks } from './token.ts'

const [comma, semicolon, quoteMark, opening] = [0x2c, 0x3b, 0x22, 0x3c]

/** Splits at separators outside quotes and angle brackets, in one pass. */
export function splitOutside(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  const wanted = separator === ',' ? comma : semicolon
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quoteMark) at = closingQuote(text, at)
    else if (code === opening) at = closingBracket(text, at)
    else if (code === wanted) {
      parts.push(trimBlanks(text.slice(start, at)))
      start = at + 1
    }
  }
  parts.push(trimBlanks(text.slice(start)))
  return parts
}

/** The index of the `>` that closes the bracket at `start`. Quotes have no meaning between brackets. */
export function closingBracket(text: string, start: number): number {
  const end = text.indexOf('>', start)
  if (end < 0) throw malformed('Angle bracket does not close')
  return end
}
