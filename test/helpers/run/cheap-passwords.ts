/** Argon2id at its lowest cost: tests make thousands of users. `passwords.test.ts` is about the cost of production (D59). */
import { hashSync, verifySync } from '@node-rs/argon2'
import type { Passwords } from '../../../src/users/passwords/passwords.ts'

const lowestCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export const cheapPasswords: Passwords = {
  hash: async (password) => hashSync(password, lowestCost),
  matches: async (password, hash) => hash !== undefined && verifySync(hash, password),
}
