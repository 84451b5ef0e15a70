/** D228: how many API requests may be in progress at once. More are refused before anything is done for them. */
import type { FastifyReply } from 'fastify'
import { refuse } from '../../contract/errors.ts'

const retryAfter = 1

export function createInFlight(max: number) {
  let count = 0
  const leave = () => {
    count -= 1
  }

  return {
    /** Throws beyond the limit; otherwise counts the request until its connection has the answer, or is closed. */
    enter({ raw }: FastifyReply) {
      if (count >= max) throw refuse('SERVICE_UNAVAILABLE', { retryAfter })
      count += 1
      raw.once('close', leave)
    },
  }
}
