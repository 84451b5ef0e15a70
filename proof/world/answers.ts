/** Shared by all clients of the API: reading an answer, choosing an office and a number, knowing when they are done. */
import type { SeededRandom } from '../../bench/parts/crash/seeded-random.ts'
import type { HttpAnswer } from '../sim/service-process.ts'
import type { Extension, Office } from './office.ts'

export const maxAttempts = 8

export function read<T>({ status, body }: HttpAnswer, field: string): T | undefined {
  if (status !== 200 || typeof body !== 'object' || body === null) return undefined
  return Reflect.get(body, field) as T | undefined
}

export function statusOf({ status, body }: HttpAnswer): { status: number; code?: string } {
  const error = typeof body === 'object' && body !== null ? Reflect.get(body, 'error') : undefined
  const code = error ? Reflect.get(error, 'errorCode') : undefined
  return { status, ...(typeof code === 'string' && { code }) }
}

export function chooseLine(
  random: SeededRandom,
  offices: readonly Office[],
): { office: Office; extension: Extension } {
  const office = random.pick(offices)
  const extension = office && random.pick(office.extensions)
  if (!office || !extension) throw new Error('there are no offices')
  return { office, extension }
}

/** A number of the public network. */
export function randomNumber(random: SeededRandom): string {
  return `55489${String(random.below(100_000_000)).padStart(8, '0')}`
}

/** Counts clients that still wait for something. */
export function createBusyCounter() {
  let busy = 0
  async function whileBusy(work: () => Promise<void>) {
    busy += 1
    await work()
    busy -= 1
  }
  return { whileBusy, busy: () => busy }
}
export type WhileBusy = ReturnType<typeof createBusyCounter>['whileBusy']
