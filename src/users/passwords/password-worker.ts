/** The thread that hashes passwords. */
import { hashSync, verifySync } from '@node-rs/argon2'
import { answerTasks } from '../../kit/process/task-thread.ts'
import type { PasswordTask } from './passwords.ts'

/** argon2id is the library's own default (D59). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

answerTasks(({ password, hash }: PasswordTask) =>
  hash === undefined ? hashSync(password, cost) : verifySync(hash, password),
)
