/** Programs of the distribution's PostgreSQL, run by its user in a folder of their own, and what is asked of a server. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

const distributions = '/usr/lib/postgresql'
export const user = 'ramal'
export const database = 'ramal'

/** The folder of its programs; undefined where the distribution's PostgreSQL is not installed. */
function findPrograms(): string | undefined {
  const majors = existsSync(distributions) ? readdirSync(distributions) : []
  return majors
    .toSorted((one, other) => Number(one) - Number(other))
    .map((major) => join(distributions, major, 'bin'))
    .findLast((bin) => existsSync(join(bin, 'pg_basebackup')))
}

export function createProgramFolder() {
  const bin = findPrograms()
  if (!bin) throw new Error('PostgreSQL of the distribution is not installed')
  // PostgreSQL does not run as root.
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined
  const path = mkdtempSync(join(tmpdir(), 'ramal-pair-'))
  if (owner) chownSync(path, owner.uid, owner.gid)
  const inFolder = { cwd: path, ...owner }
  return {
    path,
    bin,
    run: async (program: string, args: string[]) => {
      await promisify(execFile)(join(bin, program), args, inFolder)
    },
    /** By its path, or one that the system finds. */
    spawn: (program: string, args: string[]): ChildProcess =>
      spawn(program, args, { ...inFolder, stdio: 'ignore' }),
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres']))

export async function queryOnce(port: number, text: string, name: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ host: '127.0.0.1', port, user, database: name })
  client.on('error', () => {})
  try {
    await client.connect()
    return await client.query(text)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Waits for a row, and for a server that answers. */
export async function untilFound(port: number, text: string) {
  for (const end = performance.now() + 120_000; performance.now() < end; await sleep(20)) {
    const found = await queryOnce(port, text, 'postgres').catch(() => undefined)
    if (found && found.rows.length > 0) return
  }
  throw new Error(`PostgreSQL has no row after two minutes: ${text}`)
}

export async function kill(child: ChildProcess | undefined) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
