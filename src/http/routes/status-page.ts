/** The page of the status, at `/status`; it is not part of the API. */
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../contract/errors.ts'
import type { ServiceStatus } from '../../status/service-status.ts'
import { basePath } from '../entry.ts'
import { secondsToWait } from '../limits/page-limit.ts'
import type { RateCounters } from '../limits/rate-counters.ts'
import { chooseLanguage } from '../pages/payment-words.ts'
import { statusPolicy } from '../pages/status/look.ts'
import { statusPage } from '../pages/status/status-page.ts'
import { presentStatus } from './status.ts'

const statusPath = '/status'

type Deps = { status: ServiceStatus; rateCounters: RateCounters | undefined; timeZone: string }

export function addStatusPage(server: FastifyInstance, { status, rateCounters, timeZone }: Deps) {
  server.get<{ Querystring: Record<string, unknown> }>(statusPath, async (request, reply) => {
    const retryAfter = await secondsToWait(rateCounters, request, 'status page')
    if (retryAfter !== undefined) throw refuse('RATE_LIMITED', { retryAfter })
    const language = chooseLanguage(request.query.lang, request.headers['accept-language'])
    const found = await status.current()
    const html = statusPage(presentStatus(found, language), !found.isRead, {
      language,
      timeZone,
      statusUrl: `${basePath}/status`,
    })
    return (
      reply
        .type('text/html; charset=utf-8')
        .header('Content-Security-Policy', statusPolicy)
        .header('Content-Language', language === 'pt' ? 'pt-BR' : 'en')
        .header('Vary', 'Accept-Language')
        // A person who looks again sees what is new; shared caches may spare us the crowd.
        .header('Cache-Control', 'public, max-age=0, s-maxage=5')
        .send(html)
    )
  })
}
