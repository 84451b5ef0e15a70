/** Checks every request before its route runs: rate limit, access token, permission. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse, refuseParameter } from '../../contract/errors.ts'
import { type Limit, limits } from '../../contract/limits.ts'
import { andThen, type Maybe } from '../../kit/maybe.ts'
import { addressBlock } from '../../kit/networks.ts'
import type { Caller } from '../../users/caller.ts'
import { checkMay } from '../../users/permissions.ts'
import type { Callers } from '../../users/tokens/callers.ts'
import type { AnyEntry } from '../entry.ts'
import type { Count, RateCounters } from '../limits/rate-counters.ts'
import { readToken } from './authorization.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined on routes outside the API. */
    entry: AnyEntry | undefined
    /** The client's address, computed once: the framework would parse it at each use. */
    address: string
    caller: Caller | undefined
    counted: boolean
  }
  interface FastifyContextConfig {
    entry?: AnyEntry
  }
}

type Deps = { callers: Callers; rateCounters: RateCounters | undefined }

/** All unknown routes share one counter, so that guessing paths is limited too. */
const unknownRoute = 'unknown route'

/** Created once: refusing a client must cost less than serving it. */
const tooMany = refuse('RATE_LIMITED')

export function createAdmission({ callers, rateCounters }: Deps) {
  /** Before the body is read. */
  function admit(request: FastifyRequest, reply: FastifyReply): Maybe<void> {
    const { entry } = request
    if (!entry) return count(request, reply, limits.other, unknownRoute)
    if (limits[entry.limit].by !== 'address') return identify(request, reply, entry)
    return andThen(count(request, reply, limits[entry.limit], entry.route), () =>
      identify(request, reply, entry),
    )
  }

  function identify(request: FastifyRequest, reply: FastifyReply, entry: AnyEntry): Maybe<void> {
    checkQuery(request, entry)
    if (entry.may === 'anyone') return
    const token = readToken(request.headers.authorization)
    if (token === undefined) throw refuse('AUTHORIZATION_REQUIRED')
    return andThen(callers.find(token, request.address), (caller) =>
      admitCaller(request, reply, entry, caller),
    )
  }

  function admitCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    entry: AnyEntry,
    caller: Caller | undefined,
  ): Maybe<void> {
    request.caller = caller
    if (!caller) throw refuse('INVALID_TOKEN')
    const limit: Limit = limits[entry.limit]
    const counted = limit.by === 'user' ? count(request, reply, limit, entry.route) : undefined
    return andThen(counted, () => {
      if (entry.may !== 'anyone') checkMay(caller, entry.may)
    })
  }

  /** After the body is parsed, or failed to: counts requests whose limit depends on the body. */
  function admitBody(request: FastifyRequest, reply: FastifyReply): Maybe<void> {
    const { entry } = request
    if (entry && !request.counted) return count(request, reply, limits[entry.limit], entry.route)
  }

  function count(request: FastifyRequest, reply: FastifyReply, limit: Limit, route: string): Maybe<void> {
    if (!rateCounters) return
    request.counted = true
    return andThen(rateCounters.hit(`${route}|${keyOf(request, limit)}`), (hit) =>
      applyLimit(reply, limit, hit),
    )
  }

  return { admit, admitBody }
}

/** D104: rate limit headers, and 429 beyond the limit. */
function applyLimit(reply: FastifyReply, limit: Limit, { count, resetMs }: Count) {
  const reset = Math.max(1, Math.ceil(resetMs / 1000))
  reply.header('RateLimit-Limit', limit.max)
  reply.header('RateLimit-Remaining', Math.max(0, limit.max - count))
  reply.header('RateLimit-Reset', reset)
  if (count <= limit.max) return
  reply.header('Retry-After', reset)
  throw tooMany
}

function keyOf(request: FastifyRequest, limit: Limit): string {
  if (limit.by === 'address' || !request.caller) return addressBlock(request.address)
  if (limit.by === 'user') return request.caller.user.uuid
  return `${request.caller.user.uuid}|${extensionOf(request.body)}`
}

function extensionOf(body: unknown): string {
  const extension = body !== null && typeof body === 'object' && 'extension' in body ? body.extension : ''
  return typeof extension === 'string' || typeof extension === 'number' ? String(extension).slice(0, 40) : ''
}

const unknownParameter = { en: 'unknown parameter', pt: 'parâmetro desconhecido' }

/** D25: unknown query parameters are refused. D50: a token in the query is never accepted. */
function checkQuery(request: FastifyRequest, entry: AnyEntry) {
  for (const name in request.query as object) {
    if (name === 'access_token') {
      throw refuse('AUTHORIZATION_REQUIRED', {
        message: {
          en: 'Send the access token in the Authorization header, never in the query string.',
          pt: 'Envie o token de acesso no cabeçalho Authorization, nunca na URL.',
        },
      })
    }
    const plain = name.split('[', 1)[0] ?? name
    if (!entry.query || !Object.hasOwn(entry.query, plain)) throw refuseParameter(name, unknownParameter)
  }
}
