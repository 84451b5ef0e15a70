/** The oldest versions that the packages of the clients name: interpreters, where the machine has or can fetch them. */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { sayOnce } from '../helpers/run/say-once.ts'
import { findNode } from '../release/node-versions.ts'
import type { Language } from './packed-clients.ts'

export type Interpreter = { name: string; language: Language; program: string }

const oldest = { python: '3.9', php: '8.1' }

/** The distribution has one version of Python and of PHP: older ones are used where they are, in CI too. */
export function findOldest(): Interpreter[] {
  const node = findNode('20.20.2')
  const found: Interpreter[] = []
  if (node !== undefined)
    found.push({ name: 'TypeScript client on Node 20', language: 'typescript', program: node })
  for (const language of ['python', 'php'] as const) {
    const version = oldest[language]
    const program = findProgram(language, version)
    if (program !== undefined) found.push({ name: `${language} client on ${version}`, language, program })
    else sayOnce(`SKIPPED: the client on ${language} ${version}, which is not on this machine`)
  }
  return found
}

/** In PATH, or among those of pyenv. */
function findProgram(language: 'python' | 'php', version: string): string | undefined {
  const name = `${language}${version}`
  const inPath = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()
  if (inPath !== '' && spawnSync(inPath, ['--version']).status === 0) return inPath
  const pyenv = process.env.PYENV_ROOT ?? join(homedir(), '.pyenv')
  return globSync(join(pyenv, `versions/${version}.*/bin/${name}`)).sort()[0]
}
