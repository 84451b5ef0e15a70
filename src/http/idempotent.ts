/** Runs a route once for all requests with the same Idempotency-Key (D18). */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, refuse, refuseParameter } from '../contract/errors.ts'
import { hasLongNumbers, parseExactJson } from '../kit/text/json-text.ts'
import type { Database } from '../store/database.ts'
import type { Idempotency } from '../store/idempotency.ts'
import type { AnyEntry } from './entry.ts'
import { errorBody } from './server/errors/error-body.ts'
import { responseLanguage } from './server/errors/response-language.ts'

type RouteRequest = Parameters<AnyEntry['run']>[0]

export async function runOnce(
  entry: AnyEntry,
  routeRequest: RouteRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  idempotency: Idempotency,
): Promise<unknown> {
  const key = readKey(request.headers['idempotency-key'])
  if (key === undefined || !routeRequest.caller) return await entry.run(routeRequest)
  const provisional = typeof entry.idempotent === 'object' ? entry.idempotent : undefined
  const begun = await idempotency.begin(
    { userId: routeRequest.caller.user.id, route: entry.route, key, fingerprint: fingerprintOf(request) },
    provisional?.isVoid,
  )
  if ('saved' in begun) {
    reply.header('Idempotent-Replayed', 'true').code(begun.saved.status)
    return begun.saved.body
  }
  const { claim } = begun
  let isSaved = false
  const saveAnswer = async (tx: Database, answer: unknown) => {
    const body = answer as object
    if (provisional) await claim.saveProvisional(tx, body)
    else await claim.saveAnswer(tx, { status: entry.status ?? 200, body })
    isSaved = true
  }
  try {
    const answer = await entry.run({
      ...routeRequest,
      begun: claim.begun,
      noteBegun: claim.noteBegun,
      saveAnswer,
    })
    if (provisional) await claim.saveNow({ status: 200, body: answer as object })
    return answer
  } catch (error) {
    // A refusal is the final answer; after a failure on our side the request may be retried. One that refuses after the
    // work was stored has undone it (D501).
    const final = error instanceof Refusal && error.statusCode < 500
    if (final)
      await claim.saveNow({ status: error.statusCode, body: errorBody(error, responseLanguage(request)) })
    else if (!isSaved || error instanceof Refusal) await claim.release()
    throw error
  }
}

const badKey = {
  en: 'must be 1 to 255 printable characters',
  pt: 'deve ter de 1 a 255 caracteres imprimíveis',
}

/** The draft standard puts the key in quotes; most clients do not. */
function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = String(header).replace(/^"(.*)"$/, '$1')
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw refuseParameter('Idempotency-Key', badKey)
  }
  return key
}

/** The digits of large numbers count. */
function fingerprintOf({ body, bodyText }: FastifyRequest): Buffer {
  try {
    const exact = hasLongNumbers(bodyText) ? parseExactJson(bodyText) : body
    return createHash('sha256').update(canonical(exact)).digest()
  } catch (error) {
    // Nested too deep to serialise; no schema of ours allows that.
    if (error instanceof RangeError) throw refuse('VALIDATION_FAILED', { cause: error })
    throw error
  }
}

/** The same JSON in another order of keys is the same request. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_name, part: unknown) =>
      part !== null && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? ''
  )
}
