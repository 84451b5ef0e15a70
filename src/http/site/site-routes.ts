/** The documentation at `/docs/`, loaded with the first request for it: the start of the service does not wait for it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { composedOnce } from '../composed-once.ts'
import { pageLanguage } from '../pages/start-page.ts'
import type { ApiDocument } from '../reference/document.ts'
import { homePage } from './contents.ts'
import type { Site } from './site.ts'

type Deps = { describe: () => ApiDocument; publicUrl: () => string }

const sitePath = '/docs'

/** Portuguese is at the root. Readers type its tag, by analogy with `en/`. */
const portuguesePrefix = /^pt(?:-br)?(?:\/|$)/i

/** Opens the documentation once, for its routes and for those that list its pages. */
export function createSiteLoader({ describe, publicUrl }: Deps): () => Promise<Site> {
  let site: Promise<Site> | undefined
  async function load() {
    const { createSite } = await import('./site.ts')
    return createSite({ document: describe(), publicUrl: publicUrl(), ending: '' })
  }
  return () => {
    site ??= load()
    return site
  }
}

export function addSite(server: FastifyInstance, load: () => Promise<Site>) {
  const answers = new Map<string, ReturnType<typeof composedOnce>>()

  async function send(request: FastifyRequest, reply: FastifyReply, path: string) {
    const { files } = await load()
    const file = files.get(path)
    if (file === undefined) return reply.callNotFound()
    const answer = answers.get(path) ?? composedOnce(file.compose)
    answers.set(path, answer)
    const { status, headers, body } = answer(request.headers)
    const policy = `${file.policy ?? "default-src 'none'"}; frame-ancestors 'none'`
    return reply
      .code(status)
      .type(`${file.type}; charset=utf-8`)
      .header('Content-Security-Policy', policy)
      .headers(headers)
      .send(body)
  }

  /** Links are relative to a folder, whose address ends with a slash, or to a page, whose address does not. */
  server.get(sitePath, async (request, reply) => {
    if (addressOf(request).endsWith('/')) return send(request, reply, homePage)
    const home = pageLanguage(request.headers['accept-language']) === 'en' ? 'en/' : ''
    return reply.header('Vary', 'Accept-Language').redirect(`${sitePath}/${home}`, 302)
  })
  server.get(`${sitePath}/*`, async (request, reply) => {
    const path = addressOf(request).slice(sitePath.length + 1)
    if (path === '') return send(request, reply, homePage)
    const [prefix] = portuguesePrefix.exec(path) ?? []
    if (prefix !== undefined) return reply.redirect(`${sitePath}/${path.slice(prefix.length)}`, 301)
    if (path === 'llms.txt') return reply.redirect('/llms.txt', 301)
    if (path === 'en') return reply.redirect(`${sitePath}/en/`, 301)
    if (path === 'en/') return send(request, reply, `en/${homePage}`)
    if (path.endsWith('/')) return reply.redirect(`${sitePath}/${path.slice(0, -1)}`, 301)
    return send(request, reply, path)
  })
}

const addressOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? ''
