/** `npm start` as a tree of processes: whichever of them is ended, and how, none is left behind (D170, D171). */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { programMissing } from '../../helpers/programs/programs.ts'
import { makeDataDir } from '../../helpers/programs/ramal-process.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const terminal = fileURLToPath(new URL('../../helpers/programs/terminal.py', import.meta.url))
const data = makeDataDir()
afterAll(data.remove)

type Found = { pid: number; parent: number; what: string }

const read = (path: string, from: (path: string) => string) => {
  try {
    return from(path)
  } catch {
    return ''
  }
}

/** Its state and parent follow the name, which is in brackets. */
const parentOf = (pid: string) =>
  Number(
    read(`/proc/${pid}/stat`, (path) => readFileSync(path, 'utf8'))
      .split(') ')
      .at(-1)
      ?.split(' ')[1],
  )

/** Processes that were started with this data folder or work in it. A zombie has neither. */
function findProcesses(): Found[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const command = read(`/proc/${pid}/cmdline`, (path) => readFileSync(path, 'utf8')).replaceAll('\0', ' ')
      const environment = read(`/proc/${pid}/environ`, (path) => readFileSync(path, 'utf8'))
      const folder = read(`/proc/${pid}/cwd`, readlinkSync)
      const isOurs = [command, environment, folder].some((text) => text.includes(data.path))
      return isOurs ? [{ pid: Number(pid), parent: parentOf(pid), what: command.trim() }] : []
    })
}

afterEach(() => {
  for (const { pid } of findProcesses()) process.kill(pid, 'SIGKILL')
})

const nothingLeft = () => expect.poll(findProcesses, { timeout: 25_000, interval: 100 }).toEqual([])

const env = {
  PATH: process.env.PATH ?? '',
  CONSOLE: 'off',
  HOME: process.env.HOME ?? '',
  DATA_DIR: data.path,
  PORT: '0',
  SIP_PORT: '0',
  SIP_WS_PORT: '0',
}

/** In a process group of its own, as a shell starts it at a terminal. */
async function start(command: string, args: string[]) {
  const child = spawn(command, args, { cwd: root, env, detached: true })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk
    })
  }
  const closed = once(child, 'close')
  await expect.poll(() => text, { timeout: 30_000 }).toContain('Next:')
  const pid = child.pid ?? 0
  const pidOf = (what: RegExp) => findProcesses().find((found) => what.test(found.what))?.pid ?? 0
  /** All that they wrote: the end of a process may be seen before its last words have been read. */
  const textAtEnd = async () => {
    await closed
    return text
  }
  return {
    pid,
    url: /http:\S+?:\d+/.exec(text)?.[0] ?? '',
    endInput: () => child.stdin.end(),
    textAtEnd,
    pidOf,
  }
}

/** An old Node hands over to a new one, which is its child. */
function findService(): number {
  const serving = findProcesses().filter(({ what }) => what.includes('bin/ramal.js serve'))
  const parents = serving.map(({ parent }) => parent)
  return serving.find(({ pid }) => !parents.includes(pid))?.pid ?? 0
}
const onLinux = process.platform === 'linux'

describe.skipIf(!onLinux)('npm start', () => {
  const startNpm = () => start('npm', ['start'])

  test.each(['SIGTERM', 'SIGKILL'] as const)('%s to npm ends everything', async (signal) => {
    const { pid, textAtEnd } = await startNpm()
    expect(findProcesses().some(({ what }) => what.includes('postgres -D'))).toBe(true)
    process.kill(pid, signal)
    await nothingLeft()
    expect(await textAtEnd()).toContain('finishing what was asked, then stopping')
  })

  test.each(['SIGINT', 'SIGHUP'] as const)(
    '%s from the terminal, to all at once, ends everything',
    async (signal) => {
      const { pid, textAtEnd } = await startNpm()
      process.kill(-pid, signal)
      await nothingLeft()
      expect(await textAtEnd()).toContain(`${signal}: finishing what was asked, then stopping`)
    },
  )

  test.skipIf(programMissing('python3'))('closing its terminal ends everything', async () => {
    const { url, endInput, pidOf } = await start('python3', [terminal, 'npm', 'start'])
    expect(pidOf(/postgres -D/)).toBeGreaterThan(0)
    // Its line in the log waits to be written when the terminal is closed.
    await fetch(`${url}/console`)
    endInput()
    await nothingLeft()
    // PostgreSQL was stopped by the service and not by its watchdog.
    expect(existsSync(join(data.path, 'postgres', 'postmaster.pid'))).toBe(false)
  })

  test('SIGKILL to the service ends npm and PostgreSQL', async () => {
    await startNpm()
    process.kill(findService(), 'SIGKILL')
    await nothingLeft()
  })

  test('SIGKILL to npm and the service together ends PostgreSQL', async () => {
    const { pid } = await startNpm()
    process.kill(-pid, 'SIGKILL')
    await nothingLeft()
  })
})

/** A Node too old for the service, which hands over to the one that npm installed. */
const oldNode = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => /^v2[01]\./.test(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? ''))

describe.skipIf(!onLinux || !oldNode)('an old Node that hands over (skipped: there is none here)', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)('%s to it ends everything', async (signal) => {
    const { pid, textAtEnd } = await start(oldNode ?? '', ['bin/ramal.js', 'serve'])
    expect(findProcesses().filter(({ what }) => what.includes('bin/ramal.js serve'))).toHaveLength(2)
    process.kill(pid, signal)
    await nothingLeft()
    expect(await textAtEnd()).toContain('SIGTERM: finishing what was asked')
  })
})
