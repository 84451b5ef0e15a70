/** The program of the release before this one, read from the history of the repository. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sayOnce } from '../helpers/run/say-once.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** A release that breaks with the one before it (D226) writes itself in here. */
const commit = readFileSync(new URL('./previous-release', import.meta.url), 'utf8').trim()

const git = (...args: string[]) => spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' })

/**
 * Why the history does not have it; undefined if it does. Only a copy without the whole history, a shallow clone for
 * example, is a reason to skip the test: otherwise the commit is wrong.
 */
export function missingHistory(): string | undefined {
  if (git('cat-file', '-e', `${commit}^{commit}`).status === 0) return undefined
  const isWhole = git('rev-parse', '--is-shallow-repository').stdout?.trim() === 'false'
  if (isWhole)
    throw new Error(`the history has no commit ${commit}, which test/upgrade/previous-release names`)
  const reason = `the previous release, ${commit}, is not in this copy of the repository (git fetch --unshallow)`
  sayOnce(`SKIPPED: the test of two versions on one database: ${reason}`)
  return reason
}

/** In a folder of its own. Its packages are those of this version, if both have the same lockfile. */
export function unpackPreviousVersion() {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-previous-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const archive = join(folder, 'program.tar')
  run(
    'git',
    '-C',
    root,
    'archive',
    '--output',
    archive,
    commit,
    'bin',
    'src',
    'package.json',
    'package-lock.json',
  )
  run('tar', '-xf', archive, '-C', folder)
  const lockfile = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8')
  if (lockfile(folder) === lockfile(root))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  else run('npm', 'ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder)
  return { folder, remove }
}

function run(program: string, ...args: string[]) {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
}
