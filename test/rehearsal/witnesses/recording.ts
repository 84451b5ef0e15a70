/** A recording as sox hears it: length and frequency of each side. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { need } from '../runner/programs.ts'

const run = promisify(execFile)

export async function fetchRecording(url: string, folder: string): Promise<string> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`the recording is ${answer.status}: ${await answer.text()}`)
  const file = join(folder, `recording-${Date.now()}.wav`)
  await writeFile(file, Buffer.from(await answer.arrayBuffer()))
  return file
}

/** The last second alone, when both sides were surely talking; `side` is 1 or 2. */
export async function hertzOf(file: string, side: 1 | 2): Promise<number> {
  need('sox')
  const { stderr } = await run('sox', [file, '-n', 'remix', String(side), 'trim', '-1.2', '1', 'stat'])
  return Number(/Rough\s+frequency:\s+(\d+)/.exec(stderr)?.[1] ?? 0)
}

export async function secondsOf(file: string): Promise<number> {
  need('sox')
  const { stdout } = await run('sox', ['--i', '-D', file])
  return Number(stdout)
}
