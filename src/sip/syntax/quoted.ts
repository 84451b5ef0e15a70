/** Quoted strings: `"Ana \"Nina\" Souza"`. */
import { malformed } from '../refusal.ts'

const backslash = 0x5c
const quoteMark = 0x22

/** The index of the quote that closes the string opened at `start`. */
export function closingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === quoteMark) return at
  }
  throw malformed('Quoted string does not end')
}

/** The text of a value that is exactly one quoted string. */
export function unquote(text: string): string {
  if (closingQuote(text, 0) !== text.length - 1) throw malformed('Text after a quoted string')
  return text.slice(1, -1).replace(/\\([\s\S])/g, '$1')
}

/** Control characters become spaces: they cannot be written in a quoted string. */
export function quote(text: string): string {
  const escaped = text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    .replace(/[\u0000-\u001f\u007f]/g, ' ')
    .replace(/["\\]/g, '\\$&')
  return `"${escaped}"`
}
