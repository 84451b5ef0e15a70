/** Routes for the operator: health, readiness, metrics, development mailbox. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../../contract/errors.ts'
import { isLoopbackHost } from '../../kit/networks.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { escapeHtml, htmlPage, sendPage } from '../pages/html.ts'
import { readToken } from '../server/authorization.ts'
import { type ReadFigures, writeFigures } from './figures.ts'
import type { Metrics } from './metrics.ts'

const maxMails = 50

type Deps = {
  /** Where `/` leads. */
  home: string
  /** Names of the parts that are not ready; empty when all are. */
  notReady: () => Promise<string[]>
  /** Where phones reach this process, by transport; empty without the role voice. */
  sipAddresses: () => Record<string, string>
  metrics: Metrics
  /** Metrics that modules count themselves, by module name. */
  figures: Record<string, ReadFigures>
  metricsToken: string | undefined
  /** D109: whether pages for the operator are served without a token, to users of this machine. */
  operatorPages: boolean
  /** Undefined when mail is sent through a mail server. */
  mailbox: Outbox | undefined
}

export function addOperatorRoutes(server: FastifyInstance, deps: Deps) {
  const { home, notReady, sipAddresses, metrics, figures, metricsToken, operatorPages, mailbox } = deps

  server.get('/', async (_request, reply) => reply.redirect(home))

  server.get('/health', async () => ({ status: 'ok' }))

  server.get('/ready', async (_request, reply) => {
    const waiting = await notReady()
    if (waiting.length > 0) reply.code(503).header('Retry-After', 1)
    return { status: waiting.length === 0 ? 'ready' : 'not ready', waiting }
  })

  // D172: `ramal phone` asks it, and so may whoever sets up a phone.
  server.get('/addresses', async () => sipAddresses())

  server.get('/metrics', async (request, reply) => {
    const given = readToken(request.headers.authorization)
    const open =
      metricsToken === undefined ? operatorPages && isFromThisMachine(request) : isSame(given, metricsToken)
    if (!open) throw refuse('ROUTE_NOT_FOUND')
    const counted = Object.entries(figures).map(([module, read]) => writeFigures(module, read()))
    const text = [await metrics.registry.metrics(), ...counted].join('')
    return reply.type(metrics.registry.contentType).send(text)
  })

  if (!mailbox || !operatorPages) return
  server.get('/mailbox', async (request, reply) => {
    if (!isFromThisMachine(request)) throw refuse('ROUTE_NOT_FOUND')
    return sendPage(reply, mailboxPage(await mailbox.read(maxMails)))
  })
}

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * D109: a request that names this machine as its host and passed no proxy. A web page of somebody else that makes its
 * own name resolve to this machine (DNS rebinding) still sends that name.
 */
function isFromThisMachine({ hostname, headers }: FastifyRequest): boolean {
  return isLoopbackHost(hostname) && proxyHeaders.every((name) => !(name in headers))
}

/** Compares in constant time. */
function isSame(given: string | undefined, expected: string): boolean {
  const [one, other] = [given ?? '', expected].map((text) => hash('sha256', text, 'buffer'))
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}

type KeptMail = Awaited<ReturnType<Outbox['read']>>[number]

function mailboxPage(mails: KeptMail[]): string {
  const articles = mails.map(
    ({ recipient, subject, createdAt, text }) => `<article><h2>${escapeHtml(subject)}</h2>
<p class="faint">${escapeHtml(recipient)} · ${createdAt.toISOString()}</p>
<pre>${withLinks(escapeHtml(text))}</pre></article>`,
  )
  const empty = '<main><p>No mail yet. Sign up, and the confirmation comes here.</p></main>'
  return htmlPage('Development mailbox', `<h1>Development mailbox</h1>${articles.join('') || empty}`)
}

const withLinks = (html: string) => html.replace(/https?:\/\/[^\s<&]+/g, '<a href="$&">$&</a>')
