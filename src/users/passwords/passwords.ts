/**
 * Hashes and checks passwords with argon2id (D59), few at a time and in threads of their own, so that many logins at
 * once block neither the event loop nor Node's thread pool.
 */
import { availableParallelism } from 'node:os'
import { refuse } from '../../contract/errors.ts'
import { createTaskThread } from '../../kit/process/task-thread.ts'

/** Compares the password with `hash`; without one, hashes the password. */
export type PasswordTask = { password: string; hash: string | undefined }

/** What does such a task: a thread, or a test. */
type Hashing = { run(task: PasswordTask): Promise<string | boolean> }

/** One core stays free for the event loop. */
const threads = Math.max(1, Math.min(2, availableParallelism() - 1))
const maxWaiting = 64

/** The hash of a password that no user has: comparing with it takes as long as with a real one. */
const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IGhhcyB0aGlzIQ$NntWc6LxGI3t71UHrWrXozyNcro0CfQ1+hrs3n3xIU0'

/**
 * Shared by the whole process: threads take time to start, and those of a service that stopped would stay. Each is started by its
 * first password: a process that only checks tokens needs none.
 */
const workers = Array.from({ length: threads }, () =>
  createTaskThread<PasswordTask, string | boolean>(
    'password thread',
    new URL('./password-worker.ts', import.meta.url),
  ),
)

export function createPasswords(hashing: Hashing[] = workers) {
  let waiting = 0
  let next = 0

  async function work(password: string, hash: string | undefined) {
    if (waiting >= maxWaiting + hashing.length) throw refuse('SERVICE_UNAVAILABLE', { retryAfter: 2 })
    waiting += 1
    const worker = hashing[next++ % hashing.length]
    try {
      return await worker?.run({ password, hash })
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
