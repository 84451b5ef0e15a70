/**
 * Paths with a broken escape, such as `/calls/%zz`. The router would refuse them before any hook, and so without being
 * counted, logged or given headers. Their percent signs are escaped, and the request is refused by the hooks instead.
 */
import type { IncomingMessage } from 'node:http'

const malformed = new WeakSet<IncomingMessage>()

export function readableUrl(request: IncomingMessage): string {
  const { url = '/' } = request
  const firstEscape = url.indexOf('%')
  if (firstEscape === -1) return url
  const query = url.indexOf('?')
  if (query !== -1 && query < firstEscape) return url
  const path = query === -1 ? url : url.slice(0, query)
  if (isDecodable(path)) return url
  malformed.add(request)
  return path.replaceAll('%', '%25') + url.slice(path.length)
}

/** Also without a Host, which HTTP/1.1 requires: Node would refuse that with an empty body. */
export function isMalformed(request: IncomingMessage): boolean {
  return malformed.has(request) || (request.headers.host === undefined && request.httpVersion === '1.1')
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
