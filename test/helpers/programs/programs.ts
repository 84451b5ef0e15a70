/** External programs that some tests need. A test whose program is missing is skipped with a message; in CI it fails. */
import { spawnSync } from 'node:child_process'
import { sayOnce } from '../run/say-once.ts'

/** `command` ends with 0 if it is there, for a part of a program that may be missing. */
export function programMissing(name: string, command = `command -v ${name}`): boolean {
  const missing = spawnSync('sh', ['-c', command]).status !== 0
  if (missing && process.env.CI) throw new Error(`CI needs ${name}: .ci/run must install it`)
  if (missing) sayOnce(`SKIPPED: tests that need ${name}, which is not on this machine`)
  return missing
}
