/** Runs one of PostgreSQL's programs on a folder, as the account chosen for it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { commandAs, type RunAs } from './accounts.ts'
import { canEnter } from './file-access.ts'
import { obstacle } from './obstacles.ts'

type Run = {
  program: string
  runAs: RunAs
  folder: string
  /** Called with the path by which the program reaches the folder. */
  args: (folder: string) => string[]
  output: number | 'pipe'
  detached: boolean
}

const passage = '/proc/self/fd/3'

/**
 * The data folder may be below one that the program's user cannot enter (root's home is 0700). Moving the data would
 * take it off the volume its owner chose, and root's home must stay closed. So this process opens the folder and passes
 * it on as descriptor 3: Linux resolves /proc/self/fd/3 without checking the parent folders. Children inherit it.
 */
export function runProgram({ program, runAs, folder, args, output, detached }: Run): ChildProcess {
  const direct = runAs.kind !== 'account' || canEnter(dirname(folder), runAs)
  if (!direct && process.platform !== 'linux') {
    throw obstacle(`The folders above ${folder} are closed to uid ${runAs.uid}: choose another data folder`)
  }
  const opened = direct ? undefined : openSync(folder, 'r')
  try {
    const line = commandAs(runAs, program, args(opened === undefined ? folder : passage))
    return spawn(line.command, line.args, {
      ...line.identity,
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      detached,
      stdio: ['ignore', output, output, ...(opened === undefined ? [] : [opened])],
    })
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}
