/**
 * Builds the web console at the start of the service (D310):
 *
 *   building ──▶ ready
 *      └──▶ failed
 *
 * The files are kept in a folder named by the hash of what they are built from, so a start with unchanged sources builds
 * nothing. A build that fails is reported at `/console`; the service runs without it.
 */
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { access, constants, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '../../kit/process/log.ts'
import { type ConsoleFiles, readConsoleFiles } from './console-files.ts'

export type ConsoleState =
  | { state: 'building' }
  | { state: 'ready'; files: ConsoleFiles }
  /** One sentence for the operator. */
  | { state: 'failed'; reason: string }

type Deps = {
  /** Where the files are kept if the folder of the sources is read-only. */
  dataDir: string
  log: Log
  /** The folder that has `console` and the lockfile. */
  root?: string
}

const ownRoot = fileURLToPath(new URL('../../../', import.meta.url))
const distFolder = 'console/dist'
/** In a release (D340), which has no sources of the console. */
const releasedFolder = 'console/built'
/** For a build that hangs: with its low priority it may take minutes on a busy or small machine. */
const buildMs = 600_000
/** Below everything that carries calls. */
const lowPriority = 10

export function startConsoleBuild({ dataDir, log, root = ownRoot }: Deps) {
  const stopping = new AbortController()
  let current: ConsoleState = { state: 'building' }

  async function readBuilt() {
    const folder = findBuilt(root, dataDir)
    if (folder) current = { state: 'ready', files: await readConsoleFiles(folder) }
  }

  async function buildUnlessFound() {
    await found
    if (current.state === 'ready') return
    const began = performance.now()
    const folder = await build(root, await chooseFolder(root, dataDir), hashOfSources(root), stopping.signal)
    log.info(`the console was built in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    current = { state: 'ready', files: await readConsoleFiles(folder) }
  }

  const found = readBuilt()
  const finished = buildUnlessFound().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    current = { state: 'failed', reason }
    if (!stopping.signal.aborted) log.warn(`the console could not be built: ${reason}`)
  })

  return {
    read: () => current,
    /** Once files of an earlier build or of the release are read, or a build has begun. */
    looked: found.catch(() => {}),
    finished,
    async stop() {
      stopping.abort()
      await finished
    },
  }
}

/** For `ramal doctor`: whether the next start serves a console, and whether it must be built first. */
export function inspectConsole(dataDir: string): 'built' | 'buildable' | 'no bundler' {
  if (findBuilt(ownRoot, dataDir)) return 'built'
  return existsSync(join(ownRoot, 'node_modules/vite/package.json')) ? 'buildable' : 'no bundler'
}

/** Hash of everything that goes into the build: the sources, those of the client, and by the lockfile every package. */
function hashOfSources(root: string): string {
  const files = globSync(['console/**/*', 'clients/typescript/src/*'], { cwd: root, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((file) => !file.startsWith(join(root, distFolder)))
    .sort()
  const hashes = [...files, join(root, 'package-lock.json')].map(
    (file) => `${file.slice(root.length)} ${hash('sha256', readFileSync(file))}`,
  )
  return hash('sha256', hashes.join('\n')).slice(0, 16)
}

const foldersOf = (root: string, dataDir: string) => [join(root, distFolder), join(dataDir, 'console')]

function findBuilt(root: string, dataDir: string): string | undefined {
  const released = join(root, releasedFolder)
  if (existsSync(released)) return released
  const name = hashOfSources(root)
  return foldersOf(root, dataDir)
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(folder))
}

async function chooseFolder(root: string, dataDir: string): Promise<string> {
  const [beside = '', inData = ''] = foldersOf(root, dataDir)
  const isWritable = await access(join(root, 'console'), constants.W_OK).then(
    () => true,
    () => false,
  )
  return isWritable ? beside : inData
}

/** Built elsewhere and then renamed: the folder is there whole or not at all, also with two processes at once. */
async function build(root: string, folder: string, name: string, signal: AbortSignal): Promise<string> {
  const target = join(folder, name)
  const temporary = join(folder, `.${name}-${process.pid}`)
  try {
    await mkdir(temporary, { recursive: true })
    await runBuild(root, temporary, signal)
    const older = (await readdir(folder)).filter((one) => !one.startsWith('.') && one !== name)
    await rename(temporary, target).catch((error: unknown) => {
      if (!existsSync(target)) throw error
    })
    await Promise.all(older.map((one) => rm(join(folder, one), { recursive: true, force: true })))
    return target
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** The child ends when its standard input does, so that it does not outlive a service that is killed. */
function runBuild(root: string, folder: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'console/build.ts'), folder], {
      cwd: root,
      // React's own checks for development would double its size.
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['pipe', 'ignore', 'pipe'],
      signal,
      timeout: buildMs,
      killSignal: 'SIGKILL',
    })
    let text = ''
    child.stderr?.setEncoding('utf8').on('data', (chunk) => {
      text = `${text}${chunk}`.slice(-4_000)
    })
    child.once('spawn', () => lowerPriority(child.pid))
    child.once('error', reject)
    child.once('close', (code, ended) => {
      if (code === 0) resolve()
      else reject(new Error(firstLineOf(text) ?? `the build ended with ${code ?? ended}`))
    })
  })
}

function lowerPriority(pid: number | undefined) {
  try {
    if (pid !== undefined) setPriority(pid, lowPriority)
  } catch {
    // The child may have ended already.
  }
}

function firstLineOf(text: string): string | undefined {
  return text
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '')
}
