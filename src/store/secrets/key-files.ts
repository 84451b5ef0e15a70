/**
 * The secret keys of this process: given by the operator, or files in the data folder. While the key of the data folder is
 * rotated (D207) there are two files; only the end of the rotation puts the new one in the place of the old.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { makeSecretFile, readSecretFile } from './secret-file.ts'

export class SecretKeyError extends Error {
  override name = 'SecretKeyError'
}

export type SecretKeys = {
  /** False if `read` would have to make one. */
  exist(): boolean
  /** The keys to read with, the one that the database was sealed with first as far as is known. */
  read(): Buffer[]
  /** The key to rotate to; made if it has to be. */
  next(): Buffer
  /** Call it when nothing is sealed with another key any more. */
  finish(): void
  /** How the operator gets another process to know the new key. */
  advice: string
}

type Settings = {
  secretKey?: Buffer | undefined
  secretKeyPrevious?: Buffer | undefined
  dataDir: string
}

export function createSecretKeys({ secretKey, secretKeyPrevious, dataDir }: Settings): SecretKeys {
  return secretKey ? keysOfSettings(secretKey, secretKeyPrevious) : keysOfFolder(dataDir)
}

function keysOfSettings(key: Buffer, previous: Buffer | undefined): SecretKeys {
  return {
    exist: () => true,
    read: () => (previous ? [key, previous] : [key]),
    next() {
      if (previous) return key
      throw new SecretKeyError(
        'SECRET_KEY is set by you: set SECRET_KEY to a new key (openssl rand -hex 32) and SECRET_KEY_PREVIOUS to the present one, restart every process with both, and run this again.',
      )
    },
    finish() {},
    advice: 'Restart every process with the new SECRET_KEY and the present one in SECRET_KEY_PREVIOUS.',
  }
}

function keysOfFolder(dataDir: string): SecretKeys {
  const path = join(dataDir, 'secret.key')
  const nextPath = `${path}.next`
  return {
    exist: () => existsSync(path) || existsSync(nextPath),
    read() {
      // A rotation that ends in between has put the next key in the place of the first.
      const next = readKey(nextPath)
      const key = readKey(path) ?? makeKey(path)
      return next ? [key, next] : [key]
    },
    next: () => readKey(nextPath) ?? makeKey(nextPath),
    finish() {
      if (existsSync(nextPath)) renameSync(nextPath, path)
    },
    advice: `Check that every process has the folder ${dataDir}.`,
  }
}

function readKey(path: string): Buffer | undefined {
  const text = readSecretFile(path)
  if (text === undefined) return undefined
  if (!/^[0-9a-f]{64}$/.test(text)) throw new SecretKeyError(`${path} does not hold 64 hexadecimal digits.`)
  return Buffer.from(text, 'hex')
}

function makeKey(path: string): Buffer {
  makeSecretFile(path, randomBytes(32).toString('hex'))
  return readKey(path) ?? makeKey(path)
}
