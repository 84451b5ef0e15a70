/** The release as users get it: packed once, installed into folders of theirs, started as README says. */
import { execFile } from 'node:child_process'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { OrdinaryUser } from './ordinary-user.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)

export type Release = {
  folder: string
  /** The command to which verbs are added. */
  command: string[]
}

/** The file that is given to users: the one that is named, or one that is packed now. */
export async function packRelease(folder: string, packed?: string): Promise<string> {
  const archive = join(folder, 'ramal.tgz')
  await copyFile(packed ?? (await pack()), archive)
  return archive
}

async function pack(): Promise<string> {
  const { stdout } = await run('npm', ['run', '--silent', 'release'], { cwd: root })
  return stdout.trim().split('\n').at(-1) ?? ''
}

/** By npm, without a network, into a folder of the user. */
export async function installByNpm(archive: string, user: OrdinaryUser, ...path: string[]): Promise<Release> {
  const folder = await user.makeFolder(...path)
  await mustRun(user, folder, ['npm', 'install', '--global', '--offline', '--prefix', folder, archive])
  return { folder, command: [join(folder, 'bin/ramal')] }
}

/** By tar, without npm and without a Node of the machine. */
export async function unpack(archive: string, user: OrdinaryUser, ...path: string[]): Promise<Release> {
  const folder = await user.makeFolder(...path)
  await mustRun(user, folder, ['tar', '-xzf', archive])
  const program = join(folder, 'package')
  return { folder: program, command: [join(program, 'bin/node'), join(program, 'bin/ramal.js')] }
}

async function mustRun(user: OrdinaryUser, folder: string, words: string[]) {
  const { code, text } = await user.run(words, { folder })
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${text}`)
}

/** Makes an unpacked release the next one. */
export async function raiseVersion({ folder }: Release): Promise<string> {
  const path = join(folder, 'package.json')
  const text = await readFile(path, 'utf8')
  const version = `${JSON.parse(text).version}-next`
  await writeFile(path, text.replace(/"version": "[^"]+"/, `"version": "${version}"`))
  return version
}
