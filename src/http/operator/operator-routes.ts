/** Routes for the operator: health, readiness, metrics, development mailbox (D109). */
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../contract/errors.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { sendPage } from '../pages/html.ts'
import { closedMailboxPage, mailboxPage } from '../pages/mailbox-page.ts'
import { linksFor, pageLanguage, prefersHtml, type StartLinks, startPage } from '../pages/start-page.ts'
import { readToken } from '../server/authorization.ts'
import type { OperatorAccess } from './console/access.ts'
import { type ReadFigures, writeFigures } from './figures.ts'
import type { Metrics } from './metrics.ts'
import { isSameSecret } from './same-secret.ts'

const maxMails = 50

type Deps = {
  /** Where `/` leads a program. */
  home: string
  /** Where `/` leads a person; undefined without a console. */
  console: string | undefined
  /** What `/` shows to a person where there is no console. */
  links: StartLinks
  /** Names of the parts that are not ready; empty when all are. */
  notReady: () => Promise<string[]>
  /** Where phones reach this process, by transport; empty without the role voice. */
  sipAddresses: () => Record<string, string>
  metrics: Metrics
  /** Metrics that modules count themselves, by module name. */
  figures: Record<string, ReadFigures>
  metricsToken: string | undefined
  access: OperatorAccess
  /** Undefined when mail is sent through a mail server. */
  mailbox: Outbox | undefined
}

export function addOperatorRoutes(server: FastifyInstance, deps: Deps) {
  const { home, console, links, notReady, sipAddresses, metrics, figures, metricsToken } = deps
  const { access, mailbox } = deps

  server.get('/', async (request, reply) => {
    const { headers } = request
    reply.header('Vary', 'Accept, Accept-Language')
    if (!prefersHtml(headers.accept)) return reply.redirect(home)
    if (console !== undefined) return reply.redirect(console)
    return sendPage(reply, startPage(linksFor(request, links), pageLanguage(headers['accept-language'])))
  })

  server.get('/health', async () => ({ status: 'ok' }))

  server.get('/ready', async (_request, reply) => {
    const waiting = await notReady()
    if (waiting.length > 0) reply.code(503).header('Retry-After', 1)
    return { status: waiting.length === 0 ? 'ready' : 'not ready', waiting }
  })

  // D172: `ramal phone` asks it, and so may people who set up phones.
  server.get('/addresses', async () => sipAddresses())

  server.get('/metrics', async (request, reply) => {
    const given = readToken(request.headers.authorization)
    const mayScrape = metricsToken !== undefined && isSameSecret(given, metricsToken)
    if (!mayScrape && !(await access.mayRead(request))) throw refuse('AUTHORIZATION_REQUIRED')
    const counted = Object.entries(figures).map(([module, read]) => writeFigures(module, read()))
    const text = [await metrics.registry.metrics(), ...counted].join('')
    return reply.type(metrics.registry.contentType).send(text)
  })

  if (!mailbox || !access.hasToken) return
  server.get('/mailbox', async (request, reply) => {
    const entered = await access.enter(request, reply)
    if (entered === 'answered') return reply
    const { accept, 'accept-language': languages } = request.headers
    const language = pageLanguage(languages)
    reply.header('Vary', 'Accept, Accept-Language')
    if (entered === undefined && !(await access.mayRead(request))) {
      if (!prefersHtml(accept)) throw refuse('AUTHORIZATION_REQUIRED')
      return sendPage(reply.code(401), closedMailboxPage(language))
    }
    return sendPage(reply, mailboxPage(await mailbox.read(maxMails), language))
  })
}
