/** `like` patterns: % is any text, _ any character, a backslash takes the next character as it is. */

/** The pattern as PostgreSQL reads it; one without a wildcard matches anywhere in the text (D24). */
export function writeLike(text: string): string {
  let pattern = ''
  let wild = false
  const characters = [...text]
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (character === '%' || character === '_') {
      pattern += character
      wild = true
    } else if (character === '\\' && at + 1 < characters.length) {
      at++
      pattern += literal(characters[at] ?? '')
    } else {
      // A backslash at the very end escapes nothing: it is itself.
      pattern += literal(character)
    }
  }
  return wild ? pattern : `%${pattern}%`
}

function literal(character: string): string {
  return '%_\\'.includes(character) ? `\\${character}` : character
}
