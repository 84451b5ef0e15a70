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
  /** given the name by which the program reaches the folder */
  args: (folder: string) => string[]
  output: number | 'pipe'
  detached: boolean
}

const passage = '/proc/self/fd/3'

/**
 * The data folder may lie below one that the account cannot enter (root's home is 0700). Moving the
 * data elsewhere would take it off the volume its owner chose, and opening root's home is not ours
 * to do. So we open the folder ourselves and hand it on as descriptor 3: Linux follows
 * /proc/self/fd/3 to the folder itself and does not ask the parents. Children inherit it.
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
