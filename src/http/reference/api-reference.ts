/** The API's description as JSON, and its reference: a page to read, Markdown, and a collection of requests. */
import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { Type } from '../../contract/schema/type.ts'
import { type AnyEntry, basePath, Download, entry, tags } from '../entry.ts'
import { version } from '../version.ts'
import { sectionPath } from './document-parts.ts'
import { llmsText } from './markdown/llms.ts'
import { referenceMarkdown, sectionMarkdown } from './markdown/reference-markdown.ts'
import { describeApi } from './openapi.ts'
import { referencePolicy } from './page/look.ts'
import { referencePage } from './page/reference-page.ts'
import { postmanCollection } from './postman.ts'
import { webhookTag } from './webhooks.ts'

const path = '/openapi.json'
const otherForms = { description: `${basePath}${path}`, postman: '/docs/postman.json', markdown: '/docs.md' }

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

/** The reference in its forms, each composed with the first request for it (D166, D540). */
export function addApiReference(server: FastifyInstance, entries: AnyEntry[], publicUrl: () => string) {
  const describe = () => describeApi(entries, { version, publicUrl: publicUrl() })

  function serve(address: string, type: string, compose: () => string, headers: Record<string, string> = {}) {
    const answer = composedOnce(compose)
    server.get(address, async (request, reply) => {
      const { status, headers: more, body } = answer(request.headers)
      return reply.code(status).type(`${type}; charset=utf-8`).headers(headers).headers(more).send(body)
    })
  }

  const policy = { 'Content-Security-Policy': referencePolicy }
  serve('/docs', 'text/html', () => referencePage(describe(), otherForms), policy)
  serve(otherForms.markdown, 'text/markdown', () => referenceMarkdown(describe()))
  serve(otherForms.postman, 'application/json', () => JSON.stringify(postmanCollection(describe()), null, 1))
  serve('/llms.txt', 'text/plain', () => llmsText(describe(), publicUrl()))
  for (const tag of [...Object.keys(tags), webhookTag.name]) {
    serve(sectionPath(tag), 'text/markdown', () => sectionMarkdown(describe(), tag))
  }
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
