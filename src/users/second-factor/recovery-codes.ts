/** Recovery codes (D200): for a lost phone, each works once. Only their hashes are stored. */
import { hash, randomBytes } from 'node:crypto'
import { toBase32 } from './base32.ts'

const howMany = 10
/** 80 random bits: nobody guesses them, and a plain hash is enough. */
const codeBytes = 10

/** Ten codes of the form `k3qz-7hwa-xm2d-p5ny`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: howMany }, () => {
    const text = toBase32(randomBytes(codeBytes)).toLowerCase()
    return text.match(/.{4}/g)?.join('-') ?? text
  })
}

/** The code as it is compared: people leave hyphens out, or write capital letters. */
export function readCode(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase()
}

/** Undefined for a text that cannot be a recovery code. */
export function hashRecoveryCode(code: string): Buffer | undefined {
  const read = readCode(code)
  return /^[a-z2-7]{16}$/.test(read) ? hash('sha256', read, 'buffer') : undefined
}
