/** The URL of a webhook: the origin to connect to, and the path and query to request, byte for byte (D88: URLs). */

const maxLength = 2048
const shape = /^(https?):\/\/([^/?#\s\\]+)([^#\s\\]*)(?:#[^\s\\]*)?$/i

export type WebhookTarget = {
  origin: string
  hostname: string
  /** Path and query exactly as written: the receiver may depend on the spelling. */
  path: string
}

/** Returns undefined for a URL that we would not post to. */
export function readWebhookUrl(text: string): WebhookTarget | undefined {
  const trimmed = text.trim()
  const found = shape.exec(trimmed)
  if (!found || trimmed.length > maxLength || !URL.canParse(trimmed)) return undefined
  const { origin, hostname, username, password } = new URL(trimmed)
  if (username !== '' || password !== '' || found[2]?.includes('@')) return undefined
  const rest = found[3] ?? ''
  return { origin, hostname, path: percentEncoded(rest.startsWith('/') ? rest : `/${rest}`) }
}

/** Percent-encodes characters that are not allowed in a request line, and nothing else. */
function percentEncoded(path: string): string {
  return path.replace(/[^\x21-\x7e]+/gu, (characters) => encodeURIComponent(characters.toWellFormed()))
}
