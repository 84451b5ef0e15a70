/**
 * Passwords: argon2id (D59), worked on in threads of their own and few at a time, so that a crowd at the
 * login leaves the event loop, and the thread pool, to everyone else.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { refuse } from '../../contract/errors.ts'

/** `kept` is what to compare with; without it the password is to be sealed. */
export type PasswordTask = { id: number; password: string; kept: string | undefined }
type Outcome = { id: number; result?: string | boolean; failure?: string }
type Pending = { resolve: (result: string | boolean) => void; reject: (error: Error) => void }

/** One core stays free for the event loop. */
const threads = Math.max(1, Math.min(2, availableParallelism() - 1))
const mostWaiting = 64

/** The seal of a password nobody has: comparing with it takes as long as comparing with a real one. */
const decoy =
  '$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IGhhcyB0aGlzIQ$NntWc6LxGI3t71UHrWrXozyNcro0CfQ1+hrs3n3xIU0'

export function createPasswords() {
  const workers: (PasswordThread | undefined)[] = []
  let waiting = 0
  let next = 0

  async function work(password: string, kept: string | undefined) {
    if (waiting >= mostWaiting + threads) throw refuse('SERVICE_UNAVAILABLE', { retryAfter: 2 })
    waiting += 1
    const at = next++ % threads
    try {
      // Started by the first password: a service that only answers tokens needs no such thread.
      workers[at] ??= startThread(() => {
        workers[at] = undefined
      })
      return await workers[at].run(password, kept)
    } finally {
      waiting -= 1
    }
  }

  const seal = async (password: string) => String(await work(password, undefined))

  /** Takes as long for a user who does not exist as for one who does. */
  async function matches(password: string, kept: string | undefined): Promise<boolean> {
    const same = await work(password, kept ?? decoy)
    return same === true && kept !== undefined
  }

  return { seal, matches }
}
export type Passwords = ReturnType<typeof createPasswords>

type PasswordThread = ReturnType<typeof startThread>

function startThread(onEnd: () => void) {
  const worker = new Worker(new URL('./password-worker.ts', import.meta.url))
  const pending = new Map<number, Pending>()
  let ids = 0

  worker.on('message', ({ id, result, failure }: Outcome) => {
    const task = pending.get(id)
    pending.delete(id)
    if (pending.size === 0) worker.unref()
    if (result === undefined) task?.reject(new Error(failure))
    else task?.resolve(result)
  })
  const end = (cause: unknown) => {
    onEnd()
    for (const { reject } of pending.values()) reject(new Error('the password thread ended', { cause }))
    pending.clear()
  }
  worker.on('error', end)
  worker.on('exit', end)

  return {
    run(password: string, kept: string | undefined): Promise<string | boolean> {
      return new Promise((resolve, reject) => {
        const id = ids++
        pending.set(id, { resolve, reject })
        // Its work keeps the process alive; waiting for work does not.
        worker.ref()
        worker.postMessage({ id, password, kept } satisfies PasswordTask)
      })
    },
  }
}
