/** Adds route entries to the server as routes. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../contract/errors.ts'
import { memberText } from '../kit/text/json-text.ts'
import type { Translated } from '../kit/text/language.ts'
import type { Idempotency } from '../store/idempotency.ts'
import { type AnyEntry, Download, EventStream, Page, type Query } from './entry.ts'
import { runOnce } from './idempotent.ts'
import { sendPage } from './pages/html.ts'
import { objectText } from './server/body/body-fields.ts'
import { isFromOwnOrigin } from './server/credentials.ts'
import { languageHeaders, responseLanguage } from './server/errors/response-language.ts'

export function addEntries(server: FastifyInstance, entries: AnyEntry[], idempotency: Idempotency) {
  addOtherMethods(server, entries)
  const ownHead = new Set(entries.filter(({ method }) => method === 'HEAD').map(({ pattern }) => pattern))
  for (const entry of entries) {
    const status = entry.status ?? 200
    server.route({
      method: entry.method,
      url: entry.pattern,
      exposeHeadRoute: !ownHead.has(entry.pattern),
      config: { entry },
      schema: {
        ...(entry.body && { body: entry.body }),
        ...(entry.reply && { response: { [status]: entry.reply } }),
      },
      handler(request, reply) {
        if (entry.may !== 'anyone' && !request.caller) throw refuse('AUTHORIZATION_REQUIRED')
        const language = entry.translated ? responseLanguage(request) : 'en'
        if (entry.translated) reply.headers(languageHeaders[language])
        const isWanted = () => isAwaited(request, reply)
        if (entry.method !== 'GET' && !isWanted()) throw refuse('SERVICE_UNAVAILABLE', { retryAfter })
        const routeRequest = {
          isWanted,
          caller: request.caller,
          body: request.body ?? {},
          params: request.params as Record<string, string>,
          query: request.query as Query,
          headers: request.headers,
          address: request.address,
          jsonOf: (field: string) => objectText(memberText(request.bodyText, field)),
          language,
          credential: () => request.readCredential(),
          isFromOwnOrigin: () => isFromOwnOrigin(request),
          setHeader: (name: string, value: string) => void reply.header(name, value),
          begun: undefined,
          noteBegun: async () => {},
          saveAnswer: async () => {},
        }
        reply.code(status)
        const answer = entry.idempotent
          ? runOnce(entry, routeRequest, request, reply, idempotency)
          : entry.run(routeRequest)
        // The framework waits for a promise in more turns of the event loop, and for a reply that is returned in another.
        if (!(answer instanceof Promise)) return void sendAnswer(answer, request, reply)
        answer
          .then((value) => void sendAnswer(value, request, reply))
          .catch((error: Error) => void reply.send(error))
      },
    })
  }
}

function sendAnswer(answer: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (request.entry?.answersCall) request.answered = answer
  if (answer instanceof Page) return sendPage(reply.code(answer.status), answer.html)
  if (!(answer instanceof Download)) return reply.send(answer)
  if (answer instanceof EventStream) request.place?.leave()
  reply.code(answer.status).headers(answer.headers)
  if (request.method !== 'HEAD' || !(answer.body instanceof Readable)) return reply.send(answer.body)
  // The framework would read it to its end for nobody.
  answer.body.destroy()
  return reply.send()
}

const retryAfter = 1
/** Longer than clients wait for a call to ring, and shorter than a person does. */
const maxAgeMs = 10_000

/** D227: whether the client is still connected, and the request recent. */
function isAwaited(request: FastifyRequest, reply: FastifyReply): boolean {
  return !hasLeft(request) && reply.elapsedTime < maxAgeMs
}

/** A request within this process (D573) has no connection, and no such property. */
function hasLeft({ raw }: FastifyRequest): boolean {
  return raw.socket.writable === false
}

const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const

/** D159: a known path answers 405 to methods that it does not have, and says in `Allow` which it has. */
function addOtherMethods(server: FastifyInstance, entries: AnyEntry[]) {
  for (const [pattern, group] of Map.groupBy(entries, (entry) => entry.pattern)) {
    const has = (method: string) =>
      group.some((entry) => entry.method === method || (entry.method === 'GET' && method === 'HEAD'))
    const allow = methods.filter((method) => has(method) || method === 'OPTIONS').join(', ')
    const takes = methods.filter(has).join(', ')
    server.route({
      method: methods.filter((method) => !has(method)),
      url: pattern,
      config: { allow },
      handler: refuseMethod,
      // Not after the body: it is not read.
      onRequest: (request, reply, done) => {
        if (request.method === 'OPTIONS') reply.code(204).send()
        else done(refuse('METHOD_NOT_ALLOWED', { message: otherMethod(request.method, takes) }))
      },
    })
  }
}

function otherMethod(method: string, takes: string): Translated<string> {
  return {
    en: `This path does not take ${method}. It takes ${takes}.`,
    pt: `Este caminho não aceita ${method}. Ele aceita ${takes}.`,
  }
}

/** Never reached: `onRequest` answers. */
function refuseMethod() {
  throw refuse('METHOD_NOT_ALLOWED')
}
