/** D673: the call that a request placed or was about, for the log of requests. */
import type { FastifyRequest } from 'fastify'
import { isUuid } from '../../kit/ids.ts'

/** Undefined on routes that are not about one call, and for ids that cannot be those of calls, which may be anything. */
export function callOf({ entry, params, body, answered }: FastifyRequest): string | undefined {
  if (!entry) return undefined
  const ids = [
    ...(entry.answersCall ? [member(answered, 'callId'), member(answered, 'id'), member(body, 'id')] : []),
    ...(entry.path.startsWith('/calls/:id') ? [member(params, 'id')] : []),
  ]
  return ids.find((id): id is string => typeof id === 'string' && isUuid(id))
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
