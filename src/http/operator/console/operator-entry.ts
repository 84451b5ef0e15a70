/**
 * Routes of the operator as entries: like those of the API (`../../entry.ts`), each declares everything about a route, so that
 * its description is made from the schemas that validate (D618).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { Static, TSchema } from '../../../contract/schema/type.ts'
import type { Language } from '../../../kit/text/language.ts'
import { Download, type QueryParameter } from '../../entry.ts'
import { responseLanguage } from '../../server/errors/response-language.ts'
import type { Actor } from './access.ts'

type Asked<Body> = {
  params: Record<string, string>
  query: Record<string, string | undefined>
  body: Body
  language: Language
  address: string
  actor: Actor
  headers: Record<string, string | string[] | undefined>
  /** A header of the answer. */
  setHeader: (name: string, value: string) => void
}

type Common<B extends TSchema, R extends TSchema> = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  /** One line for the description. */
  about: string
  notes?: string
  /** Examples of path parameters. */
  params?: Record<string, string>
  query?: Record<string, QueryParameter>
  body?: B
  reply?: R
  /** The media type of a Download. */
  media?: string
  /** Besides those that any of these routes can answer. */
  errors?: ErrorCode[]
}

type OperatorEntry<B extends TSchema, R extends TSchema> = Common<B, R> & {
  run: (asked: Asked<Static<B>>) => Promise<Static<R> | Download>
}

/** Without the types of its schemas. */
export type AnyOperatorEntry = Common<TSchema, TSchema> & {
  run: (asked: Asked<unknown>) => Promise<unknown>
}

/** Type-checks an entry against its own schemas. */
export function operatorEntry<B extends TSchema, R extends TSchema>(
  definition: OperatorEntry<B, R>,
): AnyOperatorEntry {
  return definition as unknown as AnyOperatorEntry
}

export function addOperatorEntries(
  scope: FastifyInstance,
  entries: AnyOperatorEntry[],
  actorOf: (request: FastifyRequest) => Actor,
) {
  for (const { method, path, body, reply: schema, run } of entries) {
    scope.route({
      method,
      url: path,
      schema: { ...(body && { body }), ...(schema && { response: { 200: schema } }) },
      async handler(request, reply) {
        const answer = await run({
          params: request.params as Record<string, string>,
          query: request.query as Record<string, string | undefined>,
          body: request.body,
          language: responseLanguage(request),
          address: request.address,
          actor: actorOf(request),
          headers: request.headers,
          setHeader: (name, value) => void reply.header(name, value),
        })
        if (!(answer instanceof Download)) return answer
        return reply.code(answer.status).headers(answer.headers).send(answer.body)
      },
    })
  }
}
