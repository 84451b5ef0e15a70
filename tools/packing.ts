/** Checks that no object or array literal is spread into another: it reads as a merge where nothing merges. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const closing: Record<string, string> = { '{': '}', '[': ']', '(': ')' }

for (const file of globSync('{src,test,bench,proof,console,clients}/**/*.{ts,tsx}', { cwd: root })) {
  const text = readFileSync(`${root}${file}`, 'utf8')
  for (const { index } of text.matchAll(/\.\.\.(?=\{|\[|\(\[)/g)) {
    // `...[a, b].map(f)` is a computed list, `...[a]: [T]` a parameter.
    if (/^[.:]/.test(text.slice(endOfLiteral(text, index + 3)))) continue
    const line = text.slice(0, index).split('\n').length
    process.stderr.write(`${file}:${line} spreads a literal: write its parts one a line\n`)
    process.exitCode = 1
  }
}

/** Just past the bracket that closes the one at `start`. */
function endOfLiteral(text: string, start: number): number {
  const expected: string[] = []
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? ''
    const closes = closing[character]
    if (closes !== undefined) expected.push(closes)
    else if (character === expected.at(-1)) expected.pop()
    if (expected.length === 0) return at + 1
  }
  return text.length
}
