/** Where a text stops being JSON. V8 names the position only for some errors, and not in every version. */

export type JsonError = {
  /** From 1, as editors count them. */
  line: number
  column: number
  /** The text ends where more must follow. */
  isIncomplete: boolean
}

/** A string, a punctuation mark or a word such as `-1.0`, behind whitespace; empty at the end or at a lone quote. */
const token = /[ \t\r\n]*("[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^ \t\r\n{}[\],:"]+|)/sy

type State = 'value' | 'first element' | 'first key' | 'key' | 'colon' | 'end of value'

/** For a text that `JSON.parse` refuses: the first token that does not fit. */
export function findJsonError(text: string): JsonError {
  const open: string[] = []
  let state: State = 'value'
  token.lastIndex = 0
  for (;;) {
    const [, part = ''] = token.exec(text) ?? []
    const next: State | undefined = part === '' ? undefined : stateAfter(state, part, open)
    if (next === undefined) return describe(text, token.lastIndex - part.length)
    state = next
  }
}

/** Undefined if the token does not fit. `open` has the brackets that are not closed yet. */
function stateAfter(state: State, part: string, open: string[]): State | undefined {
  if (part === '}' || part === ']') {
    const isEmpty = state === (part === '}' ? 'first key' : 'first element')
    const closes = open.pop() === (part === '}' ? '{' : '[')
    return closes && (isEmpty || state === 'end of value') ? 'end of value' : undefined
  }
  if (state === 'end of value') {
    if (part !== ',' || open.length === 0) return undefined
    return open.at(-1) === '{' ? 'key' : 'value'
  }
  if (state === 'colon') return part === ':' ? 'value' : undefined
  if (state === 'key' || state === 'first key') {
    return part.startsWith('"') && isJson(part) ? 'colon' : undefined
  }
  if (part === '{' || part === '[') {
    open.push(part)
    return part === '{' ? 'first key' : 'first element'
  }
  return isJson(part) ? 'end of value' : undefined
}

function isJson(part: string): boolean {
  try {
    JSON.parse(part)
    return true
  } catch {
    return false
  }
}

function describe(text: string, offset: number): JsonError {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/)
  return {
    line: lines.length,
    column: [...(lines.at(-1) ?? '')].length + 1,
    isIncomplete: offset === text.length,
  }
}
