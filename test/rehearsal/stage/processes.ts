/** Processes of the installed service, found as `ps` finds them. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

type Found = { pid: number; what: string }

/** Those that were started with this data folder, or work in it. A zombie has neither. */
export function findProcesses(dataDir: string): Found[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const command = read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
      const environment = read(() => readFileSync(`/proc/${pid}/environ`, 'utf8'))
      const folder = read(() => readlinkSync(`/proc/${pid}/cwd`))
      const isOurs = [command, environment, folder].some((text) => text.includes(dataDir))
      return isOurs ? [{ pid: Number(pid), what: command.trim() }] : []
    })
}

function read(from: () => string): string {
  try {
    return from()
  } catch {
    return ''
  }
}
