/** The API's description as JSON, and what is made from it: Markdown, a collection of requests, and the documentation. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Type } from '../../contract/schema/type.ts'
import { composedOnce } from '../composed-once.ts'
import { type AnyEntry, Download, entry, tags } from '../entry.ts'
import { addSite, createSiteLoader } from '../site/site-routes.ts'
import { version } from '../version.ts'
import { sectionPath } from './document-parts.ts'
import { llmsText } from './markdown/llms.ts'
import { referenceMarkdown, sectionMarkdown } from './markdown/reference-markdown.ts'
import { describeApi } from './openapi.ts'
import { postmanCollection } from './postman.ts'
import { webhookTag } from './webhooks.ts'

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

/** The reference in its forms for programs, each composed with the first request for it (D540), and the documentation (D577). */
export function addApiReference(server: FastifyInstance, entries: AnyEntry[], publicUrl: () => string) {
  const describe = () => describeApi(entries, { version, publicUrl: publicUrl() })
  const loadSite = createSiteLoader({ describe, publicUrl })

  function serve(address: string, type: string, compose: () => string) {
    const answer = composedOnce(compose)
    server.get(address, async (request, reply) => sendText(reply, type, answer(request.headers)))
  }

  serve('/docs.md', 'text/markdown', () => referenceMarkdown(describe()))
  serve('/docs/postman.json', 'application/json', () =>
    JSON.stringify(postmanCollection(describe()), null, 1),
  )
  for (const tag of [...Object.keys(tags), webhookTag.name]) {
    serve(sectionPath(tag), 'text/markdown', () => sectionMarkdown(describe(), tag))
  }
  let llms: ReturnType<typeof composedOnce> | undefined
  server.get('/llms.txt', async (request, reply) => {
    const { listMarkdown } = await loadSite()
    llms ??= composedOnce(() => llmsText(describe(), publicUrl(), listMarkdown('en')))
    return sendText(reply, 'text/plain', llms(request.headers))
  })
  addSite(server, loadSite)
}

function sendText(reply: FastifyReply, type: string, answer: ReturnType<ReturnType<typeof composedOnce>>) {
  const { status, headers, body } = answer
  return reply.code(status).type(`${type}; charset=utf-8`).headers(headers).send(body)
}
