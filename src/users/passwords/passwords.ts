/**
 * Hashes and checks passwords with argon2id (D59), few at a time and in threads of their own, so that many logins at
 * once block neither the event loop nor Node's thread pool.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { refuse } from '../../contract/errors.ts'

/** Compares the password with `hash`; without one, hashes the password. */
export type PasswordTask = { id: number; password: string; hash: string | undefined }
type TaskResult = { id: number; result?: string | boolean; failure?: string }
type Pending = { resolve: (result: string | boolean) => void; reject: (error: Error) => void }

/** One core stays free for the event loop. */
const threads = Math.max(1, Math.min(2, availableParallelism() - 1))
const maxWaiting = 64

/** The hash of a password that no user has: comparing with it takes as long as with a real one. */
const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IGhhcyB0aGlzIQ$NntWc6LxGI3t71UHrWrXozyNcro0CfQ1+hrs3n3xIU0'

export function createPasswords() {
  const workers: (PasswordThread | undefined)[] = []
  let waiting = 0
  let next = 0

  async function work(password: string, hash: string | undefined) {
    if (waiting >= maxWaiting + threads) throw refuse('SERVICE_UNAVAILABLE', { retryAfter: 2 })
    waiting += 1
    const at = next++ % threads
    try {
      // Started by the first password: a process that only checks tokens needs no such thread.
      workers[at] ??= startThread(() => {
        workers[at] = undefined
      })
      return await workers[at].run(password, hash)
    } finally {
      waiting -= 1
    }
  }

  const hash = async (password: string) => String(await work(password, undefined))

  /** Takes as long for an unknown user, who has no hash, as for a known one. */
  async function matches(password: string, hash: string | undefined): Promise<boolean> {
    const same = await work(password, hash ?? decoyHash)
    return same === true && hash !== undefined
  }

  return { hash, matches }
}
export type Passwords = ReturnType<typeof createPasswords>

type PasswordThread = ReturnType<typeof startThread>

function startThread(onEnd: () => void) {
  const worker = new Worker(new URL('./password-worker.ts', import.meta.url))
  const pending = new Map<number, Pending>()
  let ids = 0

  worker.on('message', ({ id, result, failure }: TaskResult) => {
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
    run(password: string, hash: string | undefined): Promise<string | boolean> {
      return new Promise((resolve, reject) => {
        const id = ids++
        pending.set(id, { resolve, reject })
        // A thread keeps the process alive only while it works.
        worker.ref()
        worker.postMessage({ id, password, hash } satisfies PasswordTask)
      })
    },
  }
}
