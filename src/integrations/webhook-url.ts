/** The URL of a webhook: where to connect, and what to ask for there, byte for byte (D88). */

const longest = 2048
const shape = /^(https?):\/\/([^/?#\s\\]+)([^#\s\\]*)(?:#[^\s\\]*)?$/i

export type Target = {
  origin: string
  hostname: string
  /** Path and query as they were written; they may mean something to the receiver in just that spelling. */
  path: string
}

/** Undefined when it is no URL that we would post to. */
export function readWebhookUrl(text: string): Target | undefined {
  const trimmed = text.trim()
  const found = shape.exec(trimmed)
  if (!found || trimmed.length > longest || !URL.canParse(trimmed)) return undefined
  const { origin, hostname, username, password } = new URL(trimmed)
  if (username !== '' || password !== '' || found[2]?.includes('@')) return undefined
  const rest = found[3] ?? ''
  return { origin, hostname, path: writable(rest.startsWith('/') ? rest : `/${rest}`) }
}

/** What cannot stand in a request as it is, is written in its percent form; everything else stays. */
function writable(path: string): string {
  return path.replace(/[^\x21-\x7e]+/gu, (characters) => encodeURIComponent(characters.toWellFormed()))
}
