/** Messages that all workers of a run would write: each is written once a run. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const variable = 'TEST_MESSAGES_WRITTEN'

/** Before the workers start: they find the folder in their environment. */
export function openSaidOnce(): void {
  if (process.env[variable]) return
  const folder = mkdtempSync(join(tmpdir(), 'ramal-said-'))
  process.env[variable] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

export function sayOnce(message: string): void {
  const folder = process.env[variable]
  try {
    if (folder) writeFileSync(join(folder, encodeURIComponent(message).slice(0, 200)), '', { flag: 'wx' })
  } catch {
    return
  }
  process.stderr.write(`${message}\n`)
}
