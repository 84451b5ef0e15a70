/** Basic rules of the SIP grammar (RFC 3261, 25.1). */

const token = /^[A-Za-z0-9\-.!%*_+`'~]+$/

export function isToken(text: string): boolean {
  return token.test(text)
}

/** Removes spaces and tabs only: `trim` would also remove a no-break space or byte order mark, which are text here. */
export function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** Leading zeros are allowed, signs and exponents are not; `undefined` if it is not a number. */
export function readNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/** True if the text contains CR, LF, or a NUL that is not a quoted pair. */
export function breaksLine(text: string): boolean {
  return /[\r\n]|(?<!\\)\0/.test(text)
}

/** The same for text of several lines, separated by CRLF. */
export function breaksLines(text: string): boolean {
  return /\r(?!\n)|(?<!\r)\n|(?<!\\)\0/.test(text)
}
