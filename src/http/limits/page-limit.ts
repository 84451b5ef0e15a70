/** The rate limit of pages, which are no routes of the API (D103). */
import type { FastifyRequest } from 'fastify'
import { limits } from '../../contract/limits.ts'
import { addressBlock } from '../../kit/networks.ts'
import type { RateCounters } from './rate-counters.ts'

/** The seconds to wait if the rate limit is exceeded. */
export async function secondsToWait(
  rateCounters: RateCounters | undefined,
  request: FastifyRequest,
  what: string,
) {
  if (!rateCounters) return undefined
  const { count, resetMs } = await rateCounters.hit(what, addressBlock(request.address))
  return count > limits.other.max ? Math.max(1, Math.ceil(resetMs / 1000)) : undefined
}
