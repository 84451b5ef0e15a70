/** Checks every request before its route runs: rate limit, access token and its limits, permission. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { extensionNumber } from '../../../contract/accounts/extensions.ts'
import { type ErrorCode, refuse, refuseParameter } from '../../../contract/errors.ts'
import { accountLimit, type Limit, limits, sessionLimit } from '../../../contract/limits.ts'
import { andThen, type Maybe } from '../../../kit/maybe.ts'
import { addressBlock } from '../../../kit/networks.ts'
import type { Timers } from '../../../kit/timers.ts'
import type { Caller } from '../../../users/caller.ts'
import { checkMay } from '../../../users/permissions.ts'
import { checkAddress, checkScope } from '../../../users/scopes.ts'
import type { Callers } from '../../../users/tokens/callers.ts'
import type { AnyEntry } from '../../entry.ts'
import type { Count, RateCounters } from '../../limits/rate-counters.ts'
import { refuseToken } from '../authorization.ts'
import type { Credential } from '../credentials.ts'
import type { Place } from './in-flight.ts'
import { createLateRefusals } from './late-refusals.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined on routes outside the API. */
    entry: AnyEntry | undefined
    /** Decided by the matched route, not by the URL's spelling: `//api/…` matches too (D107). */
    isApi: boolean
    /** The client's address, computed once: the framework would parse it at each use. */
    address: string
    caller: Caller | undefined
    /** The code of the error that it is answered with. */
    errorCode: ErrorCode | undefined
    /** The answer of a route that names a call in it (D673). */
    answered: unknown
    counted: boolean
    readCredential: () => Credential | undefined
    /** Place of a request in progress (D228); undefined outside the API. */
    place: Place | undefined
    /** The whole body was received. Throws if there is no place for the request now. */
    bodyArrived: (() => void) | undefined
  }
  interface FastifyContextConfig {
    entry?: AnyEntry
    /** D159: the methods of this path, where the request's is none of them. */
    allow?: string
  }
}

type Deps = {
  callers: Callers
  rateCounters: RateCounters | undefined
  /** What the last row of the table counts by on routes that need a token (D103). */
  countOthersBy: 'address' | 'user'
  timers: Timers
}

/** A row of the limits, and the counter of its requests. */
type Row = { limit: Limit; counter: string; forSessions: Row | undefined }

/** D297: a session has one counter for all that programs have several for, so that a page may load what it shows. */
const ofSessions: Row = { limit: sessionLimit, counter: 'session', forSessions: undefined }

/** All unknown routes share one counter, so that guessing paths is limited too. */
const unknownRoute: Row = { limit: limits.other, counter: 'unknown route', forSessions: undefined }

/** D103: extensions that do not exist share one counter of the user. */
const unknownExtension = 'unknown extension'

/** Created once: refusing a client must cost less than serving it. */
const tooMany = refuse('RATE_LIMITED')

export function createAdmission({ callers, rateCounters, countOthersBy, timers }: Deps) {
  const refuseLate = createLateRefusals(timers)
  const rows = new Map<AnyEntry, Row>()

  function rowOf(entry: AnyEntry | undefined): Row {
    if (!entry) return unknownRoute
    const known = rows.get(entry)
    if (known) return known
    const row = readRow(entry, countOthersBy)
    rows.set(entry, row)
    return row
  }

  /** Row of a request whose caller, if it has one, is known. */
  function countedRow({ entry, caller }: FastifyRequest): Row {
    const row = rowOf(entry)
    return caller?.session && row.forSessions ? row.forSessions : row
  }

  /** Before the body is read. */
  function admit(request: FastifyRequest, reply: FastifyReply): Maybe<void> {
    const { entry } = request
    if (!entry) return count(request, reply)
    if (rowOf(entry).limit.by !== 'address' || couldBeSession(request, entry)) {
      return identify(request, reply, entry)
    }
    return andThen(count(request, reply), () => identify(request, reply, entry))
  }

  function identify(request: FastifyRequest, reply: FastifyReply, entry: AnyEntry): Maybe<void> {
    checkQuery(request, entry)
    if (entry.may === 'anyone') return
    const credential = request.readCredential()
    if (credential === undefined) throw refuse('AUTHORIZATION_REQUIRED')
    const { token, kind } = credential
    return andThen(callers.find(token, request.address, kind, entry.withoutDatabase), (caller) =>
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
    if (!caller) throw refuseToken(request.headers.authorization)
    const row = countedRow(request)
    const counted = row.limit.by === 'user' ? countIn(row, request, reply) : undefined
    return andThen(
      andThen(counted, () => countAccount(entry, caller)),
      () => {
        if (entry.may === 'anyone') return
        checkAddress(caller, request.address)
        checkScope(caller, entry.scope)
        checkMay(caller, entry.may)
        if (caller.lookIn && !isForReaders(entry)) throw refuse('READ_ONLY_SESSION')
      },
    )
  }

  /** After the body is parsed, or failed to: counts requests whose limit depends on the body. */
  function admitBody(request: FastifyRequest, reply: FastifyReply): Maybe<void> {
    if (!request.counted) return count(request, reply)
  }

  function count(request: FastifyRequest, reply: FastifyReply): Maybe<void> {
    return countIn(countedRow(request), request, reply)
  }

  function countIn({ limit, counter }: Row, request: FastifyRequest, reply: FastifyReply): Maybe<void> {
    if (!rateCounters) return
    request.counted = true
    return andThen(rateCounters.hit(counter, keyOf(request, limit)), (hit) => applyLimit(reply, limit, hit))
  }

  /** D471: the last row counts by address; an account that uses many of them is limited too. */
  function countAccount({ limit, weight }: AnyEntry, { accountId, session }: Caller): Maybe<void> {
    if (!rateCounters || limit !== 'other') return
    const counter = session ? 'account sessions' : 'account'
    return andThen(rateCounters.hit(counter, accountId, weight), ({ count, resetMs }) => {
      if (count <= accountLimit.max) return
      return refuseLate(
        refuse('RATE_LIMITED', { retryAfter: wholeSeconds(resetMs) }),
        count,
        accountLimit.max,
      )
    })
  }

  /** Requests for extensions that do not exist share one counter per user: with one per number, invented numbers would never be limited. */
  function countUnknownExtension({ entry, caller }: FastifyRequest, reply: FastifyReply): Maybe<void> {
    if (!rateCounters || !caller) return
    const { limit, counter } = rowOf(entry)
    return andThen(rateCounters.hit(counter, `${caller.user.uuid}|${unknownExtension}`), (hit) =>
      applyLimit(reply, limit, hit),
    )
  }

  /** D104: rate limit headers, and 429 beyond the limit. */
  function applyLimit(reply: FastifyReply, limit: Limit, { count, resetMs }: Count): Maybe<void> {
    const reset = wholeSeconds(resetMs)
    // In lower case, as the framework keeps them: it would convert the names for every answer.
    reply.header('ratelimit-limit', limit.max)
    reply.header('ratelimit-remaining', Math.max(0, limit.max - count))
    reply.header('ratelimit-reset', reset)
    if (count <= limit.max) return
    reply.header('Retry-After', reset)
    return refuseLate(tooMany, count, limit.max)
  }

  return { admit, admitBody, countUnknownExtension }
}

/** D103: one row of the table, one counter; of the last row, one counter a route. */
function readRow({ limit: name, may, route }: AnyEntry, countOthersBy: Limit['by']): Row {
  const forSessions = name === 'other' || name === 'calls.list' ? ofSessions : undefined
  if (name !== 'other') return { limit: limits[name], counter: name, forSessions }
  const by = may === 'anyone' ? limits.other.by : countOthersBy
  return { limit: { ...limits.other, by }, counter: route, forSessions }
}

/** Whether it can be of a session of the console. Sessions are counted per user, so the user is looked up first. */
function couldBeSession({ headers }: FastifyRequest, { may }: AnyEntry): boolean {
  return may !== 'anyone' && headers.authorization === undefined && headers.cookie !== undefined
}

/** D647: what a session that only reads may do. */
const isForReaders = ({ method, endsSession }: AnyEntry) =>
  method === 'GET' || method === 'HEAD' || endsSession

const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))

function keyOf(request: FastifyRequest, limit: Limit): string {
  if (limit.by === 'address' || !request.caller) return addressBlock(request.address)
  if (limit.by === 'user') return request.caller.user.uuid
  return `${request.caller.user.uuid}|${extensionOf(request.body)}`
}

/** All values that are not numbers of extensions share one key. */
function extensionOf(body: unknown): string {
  const extension = body !== null && typeof body === 'object' && 'extension' in body ? body.extension : ''
  return typeof extension === 'string' && extensionNumber.test(extension) ? extension : ''
}

const unknownParameter = { en: 'unknown parameter', pt: 'parâmetro desconhecido' }

/** D25: unknown query parameters are refused. D50: a token in the query is never accepted. */
function checkQuery(request: FastifyRequest, entry: AnyEntry) {
  if (!request.url.includes('?')) return
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
