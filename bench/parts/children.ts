/** Child processes of a benchmark: pinned to a core where possible, and always ended with the benchmark. */
import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The measured server has one core to itself, the load generator the other. */
export type Place = 'server core' | 'generator core' | 'anywhere'

type Start = {
  args: string[]
  place: Place
  stdio: StdioOptions
  env?: Record<string, string>
}

/**
 * For a process that runs a part of the service: Node's flags as in bin/ramal.js, and `gc()` exposed in every thread.
 * `npm run bench` has the same for parts that run in its own process.
 */
export const likeTheService = {
  flags: [
    '--max-semi-space-size=8',
    '--heap-growing-percent=80',
    '--no-allocation-site-pretenuring',
    '--expose-gc',
    '--import',
    import.meta.resolve('./garbage.ts'),
  ],
  env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache') },
}

const running = new Set<ChildProcess>()

process.on('exit', () => {
  for (const child of running) child.kill()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

/** Runs Node. taskset execs it, so the process id is that of the measured program. */
export function startNode({ args, place, stdio, env = {} }: Start): ChildProcess {
  const core = coreOf(place)
  const [command, ...rest] =
    core === undefined
      ? [process.execPath, ...args]
      : ['taskset', '-c', String(core), process.execPath, ...args]
  const child = spawn(command, rest, { stdio, env: { ...process.env, ...env } })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

export async function stopChild(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await ended
  clearTimeout(late)
}

/** False on one core or without taskset: then server and generator share the cores. */
export function canPin(): boolean {
  return coreOf('server core') !== undefined
}

let cores: number[] | undefined

function coreOf(place: Place): number | undefined {
  if (place === 'anywhere') return undefined
  cores ??= spawnSync('taskset', ['--version']).status === 0 ? allowedCores() : []
  if (cores.length < 2) return undefined
  return place === 'server core' ? cores[0] : cores[1]
}

function allowedCores(): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}
