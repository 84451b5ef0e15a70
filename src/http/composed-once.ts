/** Texts that the server composes itself, such as the documentation: each with the first request for it, then kept compressed too. */
import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

type RequestHeaders = Record<string, string | string[] | undefined>

/** Composed with the first request: only then is the public address known that the text names. */
export function composedOnce(compose: () => string) {
  let composed: { text: string; zipped: Buffer; etag: string } | undefined

  function read() {
    const text = compose()
    return { text, zipped: gzipSync(text), etag: `"${hash('sha256', text).slice(0, 16)}"` }
  }

  return (headers: RequestHeaders) => {
    composed ??= read()
    const { text, zipped, etag } = composed
    const answer = { ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' }
    if (headers['if-none-match'] === etag) return { status: 304, headers: answer, body: undefined }
    const zips = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
    if (!zips) return { status: 200, headers: answer, body: text }
    return { status: 200, headers: { ...answer, 'Content-Encoding': 'gzip' }, body: zipped }
  }
}
