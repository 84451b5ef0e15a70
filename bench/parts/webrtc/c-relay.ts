/** The bare relay in C, where there is a compiler: what the kernel alone costs. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { stopChild } from '../children.ts'
import { inFolder } from '../service.ts'
import type { BareRelay } from './media-bench.ts'

const source = fileURLToPath(new URL('./bare-relay.c', import.meta.url))

export function hasCompiler(): boolean {
  return spawnSync('gcc', ['--version']).status === 0
}

export function withCRelay<T>(work: (relay: BareRelay) => Promise<T>): Promise<T> {
  return inFolder(async (folder) => {
    const program = join(folder, 'bare-relay')
    const { status, stderr } = spawnSync('gcc', ['-O2', '-Wall', '-Werror', '-o', program, source])
    if (status !== 0) throw new Error(`gcc: ${stderr}`)
    const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] })
    const answers = createInterface({ input: child.stdout })
    const open: BareRelay['open'] = async (ports) => {
      const own = []
      for (const { extension, other } of ports) {
        child.stdin.write(`${extension} ${other}\n`)
        const [answer] = (await once(answers, 'line')) as [string]
        const [first = 0, second = 0] = answer.split(' ').map(Number)
        own.push({ extension: first, other: second })
      }
      return own
    }
    const closeAll = async () => void child.stdin.write('close\n')
    try {
      return await work({ open, closeAll, pid: child.pid ?? 0 })
    } finally {
      await stopChild(child)
    }
  })
}
