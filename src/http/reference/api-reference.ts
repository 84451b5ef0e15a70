/** The API's description as JSON, and as a page to read (D166: what `/docs` is). Both are composed once. */
import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { Type } from '../../contract/schema/type.ts'
import { type AnyEntry, basePath, Download, entry } from '../entry.ts'
import { version } from '../version.ts'
import { describeApi } from './openapi.ts'
import { referencePolicy } from './page/look.ts'
import { referencePage } from './page/reference-page.ts'

const path = '/openapi.json'

/** The entries, and one more that describes them all, itself included. */
export function withDescription(entries: AnyEntry[], publicUrl: () => string): AnyEntry[] {
  const json = composedOnce(() => JSON.stringify(describeApi(all, { version, publicUrl: publicUrl() })))
  const all: AnyEntry[] = [
    ...entries,
    entry({
      method: 'GET',
      path,
      tag: 'Description',
      about: 'This description',
      may: 'anyone',
      limit: 'other',
      reply: Type.Object({}, { additionalProperties: true, examples: [{ openapi: '3.1.0' }] }),
      async run({ headers }) {
        const { status, headers: more, body } = json(headers)
        return new Download(status, { 'content-type': 'application/json; charset=utf-8', ...more }, body)
      },
    }),
  ]
  return all
}

export function addApiReference(server: FastifyInstance, entries: AnyEntry[], publicUrl: () => string) {
  const page = composedOnce(() =>
    referencePage(describeApi(entries, { version, publicUrl: publicUrl() }), `${basePath}${path}`),
  )
  server.get('/docs', async ({ headers }, reply) => {
    const { status, headers: more, body } = page(headers)
    return reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', referencePolicy)
      .headers(more)
      .send(body)
  })
}

type RequestHeaders = Record<string, string | string[] | undefined>

/** Composed with the first request: only then is the address known that it names. */
function composedOnce(compose: () => string) {
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
