/** Text of the API description as HTML. */

/** Enough for text between tags, and shorter than escaping quotes as well. */
export const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export const escapeAttribute = (text: string) => escapeText(text).replaceAll('"', '&quot;')

/** The Markdown that descriptions use: paragraphs, lists and `code`. */
export function markdown(text: string): string {
  return text
    .split('\n\n')
    .map((block) => (block.startsWith('- ') ? listOf(block) : `<p>${inline(block)}</p>`))
    .join('')
}

export function inline(text: string): string {
  return escapeText(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function listOf(block: string): string {
  const items = block.split('\n').map((line) => `<li>${inline(line.slice(2))}`)
  return `<ul>${items.join('')}</ul>`
}

export const pretty = (value: unknown) => escapeText(JSON.stringify(value, null, 2))
