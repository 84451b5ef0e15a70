/**
 * Passwords: argon2id (D59), verified off the event loop and few at a time, so that a crowd at the
 * login leaves the cores to everyone else.
 */
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { refuse } from '../contract/errors.ts'

/** argon2id is the library's own default. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** One core stays free for the event loop. */
const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
const mostWaiting = 64

export function createPasswords() {
  const waiting: (() => void)[] = []
  let busy = 0
  /** Made now: the first stranger must not wait longer than the second. */
  const decoy = hash('the password of nobody', cost)

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (busy >= atOnce) {
      if (waiting.length >= mostWaiting) throw refuse('SERVICE_UNAVAILABLE', { retryAfter: 2 })
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      busy += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else busy -= 1
    }
  }

  const seal = (password: string) => inTurn(() => hash(password, cost))

  /** Takes as long for a user who does not exist as for one who does. */
  async function matches(password: string, kept: string | undefined): Promise<boolean> {
    const against = kept ?? (await decoy)
    const same = await inTurn(() => verify(against, password))
    return same && kept !== undefined
  }

  return { seal, matches }
}
export type Passwords = ReturnType<typeof createPasswords>
