/**
 * The thread that hashes passwords. On Linux it has a low priority of its own: on a machine with few cores the event
 * loop comes first, and logins wait a little.
 */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { ThreadAnswer } from '../../kit/worker-thread.ts'
import type { PasswordTask } from './passwords.ts'

/** argon2id is the library's own default (D59). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const lowPriority = 10

// On other systems this would change the priority of the whole process.
if (process.platform === 'linux') setPriority(lowPriority)

parentPort?.on('message', ({ id, password, hash }: PasswordTask) => {
  parentPort?.postMessage({ id, ...work(password, hash) })
})

function work(password: string, hash: string | undefined): Omit<ThreadAnswer, 'id'> {
  try {
    return { answer: hash === undefined ? hashSync(password, cost) : verifySync(hash, password) }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}
