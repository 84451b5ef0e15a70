/** Data folders and processes that are gone when the test is. */
import { spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Identity } from '../file-access.ts'
import { stopServer } from '../server.ts'

export const isRoot = process.geteuid?.() === 0

const starter = fileURLToPath(new URL('./starter.ts', import.meta.url))

/** Open to others unless a mode says otherwise. */
export function makeFolder({ mode = 0o711, owner }: { mode?: number; owner?: Identity } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-embedded-'))
  chmodSync(folder, mode)
  if (owner) chownSync(folder, owner.uid, owner.gid)
  return folder
}

/** A server that a failed test left in the folder, or in `data` below it, is stopped. */
export async function removeFolder(folder: string): Promise<void> {
  for (const cluster of [join(folder, 'postgres'), join(folder, 'data/postgres')]) {
    if (existsSync(cluster)) await stopServer(cluster)
  }
  rmSync(folder, { recursive: true, force: true })
}

/** For one test. */
export function makeScratch(options: { mode?: number; owner?: Identity } = {}): string {
  const folder = makeFolder(options)
  onTestFinished(() => removeFolder(folder))
  return folder
}

export function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
}

/** The server with all its processes, as power loss or the out-of-memory killer would. */
export function killServer(dataDir: string): void {
  const pid = postmasterPid(dataDir)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  for (const each of [pid, ...children.map(Number)]) process.kill(each, 'SIGKILL')
}

export async function until(what: string, holds: () => boolean): Promise<void> {
  for (const began = Date.now(); !holds(); await sleep(5)) {
    if (Date.now() - began > 60_000) throw new Error(`still not so after a minute: ${what}`)
  }
}

export type Starter = {
  lines: string[]
  /** the first line it printed */
  report(): Promise<string>
  /** kills it with its process group, which Ctrl-C would reach too, and waits for it */
  kill(): Promise<void>
  /** ends its input and waits for it */
  finish(): Promise<void>
}

export function runStarter(
  dataDir: string,
  mode: 'hold' | 'write',
  wrap: string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Starter {
  const [command = '', ...args] = [...wrap, process.execPath, starter, dataDir, mode]
  const child = spawn(command, args, { cwd: '/', env, detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    lines,
    async report() {
      await until('the starter reports', () => lines.length > 0 || child.exitCode !== null)
      return lines[0] ?? ''
    },
    async kill() {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
      await ended
    },
    async finish() {
      child.stdin.end()
      await ended
    },
  }
}
