/** Adds route entries to the server as routes. */
import type { FastifyInstance } from 'fastify'
import { refuse } from '../contract/errors.ts'
import { memberText } from '../kit/json-text.ts'
import type { Idempotency } from '../store/idempotency.ts'
import { type AnyEntry, Download, Page, type Query } from './entry.ts'
import { runOnce } from './idempotent.ts'
import { sendPage } from './pages/html.ts'

export function addEntries(server: FastifyInstance, entries: AnyEntry[], idempotency: Idempotency) {
  for (const entry of entries) {
    const status = entry.status ?? 200
    server.route({
      method: entry.method,
      url: entry.pattern,
      config: { entry },
      schema: {
        ...(entry.body && { body: entry.body }),
        ...(entry.reply && { response: { [status]: entry.reply } }),
      },
      async handler(request, reply) {
        if (entry.may !== 'anyone' && !request.caller) throw refuse('AUTHORIZATION_REQUIRED')
        const routeRequest = {
          caller: request.caller,
          body: request.body ?? {},
          params: request.params as Record<string, string>,
          query: request.query as Query,
          headers: request.headers,
          jsonOf: (field: string) => memberText(request.bodyText, field),
          saveAnswer: async () => {},
        }
        reply.code(status)
        const answer = entry.idempotent
          ? await runOnce(entry, routeRequest, request, reply, idempotency)
          : await entry.run(routeRequest)
        if (answer instanceof Page) return sendPage(reply.code(answer.status), answer.html)
        if (answer instanceof Download) {
          return reply.code(answer.status).headers(answer.headers).send(answer.body)
        }
        return reply.send(answer)
      },
    })
  }
}
