/** The id of a request, in its answer and in the log: the client's own, masked like all that is logged, or one of ours. */
import type { IncomingMessage } from 'node:http'
import { mask } from '../../kit/process/log.ts'

const counterDigits = 12

/** Random for each process, and counted in it: a random id for every request would cost as much as finding its caller. */
export function createRequestIds() {
  const prefix = crypto.randomUUID().slice(0, -counterDigits)
  let count = 0

  return function requestIdOf({ headers }: IncomingMessage): string {
    const given = headers['x-request-id']
    if (typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given)) return mask(given)
    count += 1
    return prefix + count.toString(16).padStart(counterDigits, '0')
  }
}
