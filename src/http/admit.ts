/** What every request passes before its route runs: who is asking, how often, and may they. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse, refuseParameter } from '../contract/errors.ts'
import { type Limit, limits } from '../contract/limits.ts'
import type { Caller } from '../users/caller.ts'
import type { Callers } from '../users/callers.ts'
import { checkMay } from '../users/permissions.ts'
import { addressKey } from './address.ts'
import { readToken } from './authorization.ts'
import type { AnyEntry } from './entry.ts'
import type { Windows } from './windows.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    counted: boolean
  }
  interface FastifyContextConfig {
    entry?: AnyEntry
  }
}

type Deps = { callers: Callers; windows: Windows | undefined }

/** Unknown routes are counted together, so that guessing paths is limited too. */
const unknownRoute = 'unknown route'

export function createAdmission({ callers, windows }: Deps) {
  /** Before the body is read. */
  async function admit(request: FastifyRequest, reply: FastifyReply) {
    const entry = request.routeOptions.config.entry
    if (!entry) return await count(request, reply, limits.other, unknownRoute)
    const limit: Limit = limits[entry.limit]
    const route = `${entry.method} ${entry.path}`
    if (limit.by === 'address') await count(request, reply, limit, route)
    checkQuery(request, entry)
    if (entry.may === 'anyone') return
    const token = readToken(request.headers.authorization)
    const caller = token === undefined ? undefined : await callers.find(token)
    request.caller = caller
    if (limit.by === 'user' || (limit.by === 'user and extension' && !caller)) {
      await count(request, reply, limit, route)
    }
    if (token === undefined) throw refuse('AUTHORIZATION_REQUIRED')
    if (!caller) throw refuse('INVALID_TOKEN')
    checkMay(caller, entry.may)
  }

  /** Once the body is known, for routes counted by what is in it. */
  async function admitBody(request: FastifyRequest, reply: FastifyReply) {
    const entry = request.routeOptions.config.entry
    if (entry?.bodyOptional) request.body ??= {}
    if (!entry || request.counted) return
    await count(request, reply, limits[entry.limit], `${entry.method} ${entry.path}`)
  }

  async function count(request: FastifyRequest, reply: FastifyReply, limit: Limit, route: string) {
    if (!windows || request.counted) return
    request.counted = true
    const hit = windows.hit(`${route}|${keyOf(request, limit)}`)
    const { count, resetMs } = hit instanceof Promise ? await hit : hit
    // D104
    const reset = Math.max(1, Math.ceil(resetMs / 1000))
    reply.header('RateLimit-Limit', limit.most)
    reply.header('RateLimit-Remaining', Math.max(0, limit.most - count))
    reply.header('RateLimit-Reset', reset)
    if (count > limit.most) throw refuse('RATE_LIMITED', { retryAfter: reset })
  }

  return { admit, admitBody }
}

function keyOf(request: FastifyRequest, limit: Limit): string {
  if (limit.by === 'address' || !request.caller) return addressKey(request.ip)
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
