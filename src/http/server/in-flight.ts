/** D228: how many API requests may be in progress at once. More are refused before anything is done for them. */
import type { FastifyReply } from 'fastify'
import { refuse } from '../../contract/errors.ts'

const retryAfter = 1

export function createInFlight(max: number) {
  let count = 0

  return {
    /**
     * Throws beyond the limit; otherwise counts the request until its connection has the answer, or is closed, or the
     * function that is returned was called.
     */
    enter({ raw }: FastifyReply): () => void {
      if (count >= max) throw refuse('SERVICE_UNAVAILABLE', { retryAfter })
      count += 1
      let isCounted = true
      const leave = () => {
        if (isCounted) count -= 1
        isCounted = false
      }
      raw.on('close', leave)
      return leave
    },
  }
}
