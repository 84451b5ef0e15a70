/**
 * The thread where passwords are worked on. On Linux it has a low priority of its own: on a machine with
 * few cores the event loop comes first, and those who log in wait a little for it.
 */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { PasswordTask } from './passwords.ts'

/** argon2id is the library's own default (D59). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const lowPriority = 10

// Elsewhere it would be the priority of the whole process.
if (process.platform === 'linux') setPriority(lowPriority)

parentPort?.on('message', ({ id, password, kept }: PasswordTask) => {
  parentPort?.postMessage({ id, ...work(password, kept) })
})

function work(
  password: string,
  kept: string | undefined,
): { result: string | boolean } | { failure: string } {
  try {
    return { result: kept === undefined ? hashSync(password, cost) : verifySync(kept, password) }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}
