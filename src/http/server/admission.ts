/** What every request passes before its route runs: how often, who is asking, and may they. */
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
    /** Undefined on routes that are not of the API. */
    entry: AnyEntry | undefined
    /** Of the client; asking the framework again each time costs. */
    address: string
    caller: Caller | undefined
    counted: boolean
  }
  interface FastifyContextConfig {
    entry?: AnyEntry
  }
}

type Deps = { callers: Callers; rateCounters: RateCounters | undefined }

/** Unknown routes are counted together, so that guessing paths is limited too. */
const unknownRoute = 'unknown route'

/** Made once: a client that asks too often should cost us less than one that does not. */
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
    return andThen(callers.find(token), (caller) => welcome(request, reply, entry, caller))
  }

  function welcome(
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

  /** Once the body is known, or will never be: for requests that were not counted yet. */
  function admitBody(request: FastifyRequest, reply: FastifyReply): Maybe<void> {
    const { entry } = request
    if (entry && !request.counted) return count(request, reply, limits[entry.limit], entry.route)
  }

  function count(request: FastifyRequest, reply: FastifyReply, limit: Limit, route: string): Maybe<void> {
    if (!rateCounters) return
    request.counted = true
    return andThen(rateCounters.hit(`${route}|${keyOf(request, limit)}`), (hit) => tell(reply, limit, hit))
  }

  return { admit, admitBody }
}

/** D104 */
function tell(reply: FastifyReply, limit: Limit, { count, resetMs }: Count) {
  const reset = Math.max(1, Math.ceil(resetMs / 1000))
  reply.header('RateLimit-Limit', limit.most)
  reply.header('RateLimit-Remaining', Math.max(0, limit.most - count))
  reply.header('RateLimit-Reset', reset)
  if (count <= limit.most) return
  reply.header('Retry-After', reset)
  throw tooMany
}

function keyOf(request: FastifyRequest, limit: Limit): string {
  if (limit.by === 'address' || !request.caller) return addressBlock(request.address)
  if (limit.by === 'user') return request.caller.user.uuid
  return `${request.caller.user.uuid}|${extensionOf(request.body)}`
}

function extensionOf(body: unknown): string {
  const named = body !== null && typeof body === 'object' && 'extension' in body ? body.extension : ''
  return typeof named === 'string' || typeof named === 'number' ? String(named).slice(0, 40) : ''
}

/** D25, D50: nothing in the query is ignored, and a token is never taken from it. */
function checkQuery(request: FastifyRequest, entry: AnyEntry) {
  for (const name in request.query as object) {
    if (name === 'access_token') {
      throw refuse('AUTHORIZATION_REQUIRED', {
        message: 'Send the access token in the Authorization header, never in the query string.',
      })
    }
    const plain = name.split('[', 1)[0] ?? name
    if (!entry.query || !Object.hasOwn(entry.query, plain)) throw refuseParameter(name, 'unknown parameter')
  }
}
