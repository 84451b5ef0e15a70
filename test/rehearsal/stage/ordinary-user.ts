/** Runs commands as a person without rights runs them: their own home, files that only they can read. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

type Command = { folder: string; env?: Record<string, string>; output?: number }

const isRoot = process.getuid?.() === 0
/** Root hands over to `nobody`, whom every Linux has. */
const nobody = 65_534
const handOver = isRoot
  ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--no-new-privs']
  : []
/** As on a hardened machine: new files are readable by their owner alone. */
const strictly = ['sh', '-c', 'umask 077; exec "$@"', 'sh']

/** Without the programs of this checkout: the Node and npm of the machine. */
const machinePath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter)

export async function createOrdinaryUser(home: string) {
  await mkdir(home)
  await give(home)

  async function give(path: string) {
    if (isRoot) await chown(path, nobody, nobody)
  }

  function start(words: string[], { folder, env = {}, output }: Command): ChildProcess {
    const [command = '', ...args] = [...handOver, ...strictly, ...words]
    const to = output ?? 'pipe'
    return spawn(command, args, {
      cwd: folder,
      env: { PATH: machinePath, HOME: home, TMPDIR: home, LANG: 'pt_BR.UTF-8', ...env },
      stdio: ['ignore', to, to],
      // In a process group of its own, as a shell starts it.
      detached: true,
    })
  }

  /** Until it ends. */
  async function run(words: string[], command: Command): Promise<{ code: number; text: string }> {
    const child = start(words, command)
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        text += chunk
      })
    }
    const [code] = await once(child, 'close')
    return { code: code ?? -1, text }
  }

  return {
    home,
    give,
    start,
    run,
    /** A new folder that belongs to the user. */
    async makeFolder(...path: string[]) {
      const folder = join(...path)
      await mkdir(folder)
      await give(folder)
      return folder
    },
  }
}
export type OrdinaryUser = Awaited<ReturnType<typeof createOrdinaryUser>>
