/** Programs that others wrote. A missing one skips its step with a message; in CI it fails the step. */
import { spawnSync } from 'node:child_process'

export class Skipped extends Error {}

export function need(...programs: string[]) {
  for (const program of programs) {
    const found = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program]).status === 0
    if (!found) missing(program)
  }
}

/** A part of a program, such as a library of it: `probe` is a command that ends well if it is there. */
export function needPart(name: string, [command = '', ...args]: string[]) {
  if (spawnSync(command, args, { stdio: 'ignore' }).status !== 0) missing(name)
}

function missing(name: string): never {
  if (process.env.CI) throw new Error(`CI needs ${name}: .ci/run must install it`)
  throw new Skipped(`${name} is not on this machine`)
}
