/**
 * D228: how many API requests may be in progress at once, shared by accounts and, without a token, by addresses. More are
 * refused before anything is done for them.
 */
import type { FastifyReply } from 'fastify'
import { refuse } from '../../../contract/errors.ts'
import { createShares } from '../../../kit/shares.ts'

const retryAfter = 1

export function createInFlight(max: number) {
  const shares = createShares(max)

  /**
   * A place for the request, until its connection has the answer, or is closed, or it was left. Throws, as `take` and
   * `moveTo` do, if there is none.
   */
  function enter({ raw }: FastifyReply, address: string) {
    let key: string | number = address
    let isTaken = false
    let isOver = false

    function take() {
      if (isTaken || isOver) return
      if (!shares.take(key)) throw refuse('SERVICE_UNAVAILABLE', { retryAfter })
      isTaken = true
    }

    function leave() {
      if (isTaken) shares.release(key)
      isTaken = false
    }

    take()
    raw.on('close', () => {
      isOver = true
      leave()
    })
    return {
      take,
      leave,
      /** To the share of the account, once that is known. */
      moveTo(account: number) {
        leave()
        key = account
        take()
      },
    }
  }

  return { enter }
}
export type Place = ReturnType<ReturnType<typeof createInFlight>['enter']>
