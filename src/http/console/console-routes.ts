/** The web console at `/console`: its files, and a page for as long as there are none. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../contract/errors.ts'
import type { OperatorAccess } from '../operator/console/access.ts'
import { pagePolicy } from '../pages/html.ts'
import { linksFor, pageLanguage, type StartLinks } from '../pages/start-page.ts'
import type { ConsoleState } from './console-build.ts'
import { type ConsoleFile, indexFile } from './console-files.ts'
import { buildingPage, failedPage } from './waiting-page.ts'

export const consolePath = '/console'
/** Served from the same build (D320). */
export const operatorPath = '/operator'

/** D311: scripts, styles and connections of this origin only; texts become no markup (Trusted Types). */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const headers = {
  'Content-Security-Policy': policy,
  'Permissions-Policy': 'microphone=(self), speaker-selection=(self), camera=(), geolocation=()',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** What the sign-up form offers. */
type ConsoleSettings = { accountDomainSuffix: string; crmProducts: string[] }

type Deps = {
  read: () => ConsoleState
  settings: ConsoleSettings
  links: StartLinks
  /** D109: the printed link to the console opens the pages of the operator too. */
  enter: OperatorAccess['enter']
}

export function addConsole(server: FastifyInstance, { read, settings, links, enter }: Deps) {
  server.get(`${consolePath}/settings.json`, async (request, reply) => {
    reply.header('Cache-Control', 'no-cache')
    return { ...settings, mailbox: linksFor(request, links).mailbox }
  })
  server.get(consolePath, async (request, reply) =>
    (await enter(request, reply)) === 'answered' ? reply : answer(request, reply),
  )
  server.get(`${consolePath}/*`, answer)

  function answer(request: FastifyRequest, reply: FastifyReply) {
    const current = read()
    const { '*': path = '' } = request.params as { '*'?: string }
    const file = current.state === 'ready' && path !== indexFile ? current.files.get(path) : undefined
    if (file) return sendFile(request, reply, file)
    return sendConsolePage(request, reply, current, path)
  }
}

/** The page, whatever its address: what is shown there is decided in the browser. `path`: what may name a file of the console. */
export function sendConsolePage(
  request: FastifyRequest,
  reply: FastifyReply,
  current: ConsoleState,
  path: string,
) {
  if (current.state !== 'ready') return sendWaiting(request, reply, current)
  // A missing file is no page: an old tab that loads a part of an earlier build must notice.
  const page = /\.\w+$/.test(path) ? undefined : current.files.get(indexFile)
  if (!page) throw refuse('ROUTE_NOT_FOUND')
  return sendFile(request, reply, page)
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile) {
  reply
    .headers(headers)
    .type(file.type)
    .header('ETag', file.etag)
    .header('Vary', 'Accept-Encoding')
    .header('Cache-Control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '')
  if (file.br && /\bbr\b/.test(accepted)) return reply.header('Content-Encoding', 'br').send(file.br)
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('Content-Encoding', 'gzip').send(file.gzip)
  return reply.send(file.plain)
}

function sendWaiting(
  request: FastifyRequest,
  reply: FastifyReply,
  current: Exclude<ConsoleState, { state: 'ready' }>,
) {
  const language = pageLanguage(request.headers['accept-language'])
  return reply
    .code(503)
    .type('text/html; charset=utf-8')
    .header('Content-Security-Policy', pagePolicy)
    .header('Cache-Control', 'no-store')
    .header('Vary', 'Accept-Language')
    .header('Retry-After', 1)
    .send(current.state === 'building' ? buildingPage(language) : failedPage(current.reason, language))
}
