/** Starts the load generator's process and sends it jobs. */
import { fileURLToPath } from 'node:url'
import { askChild } from '../ask.ts'
import { type Place, startNode, stopChild } from '../children.ts'
import type { GeneratorWork } from './generator-process.ts'
import type { Job, Outcome } from './job.ts'

const program = fileURLToPath(new URL('./generator-process.ts', import.meta.url))
/** More than the longest job takes: after this it has lost a response. */
const timeoutMs = 90_000

export async function withGenerator<T>(place: Place, work: (generator: Generator) => Promise<T>): Promise<T> {
  const generator = startGenerator(place)
  try {
    return await work(generator)
  } finally {
    await generator.stop()
  }
}

function startGenerator(place: Place) {
  const child = startNode({ args: [program], place, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ask = askChild<GeneratorWork>(child, timeoutMs)
  return { run: (job: Job) => ask('run', job), pid: child.pid ?? 0, stop: () => stopChild(child) }
}
export type Generator = ReturnType<typeof startGenerator>

/** Throws on any other status: such a round did not measure what it should. */
export function expectOnly(status: number, { statuses }: Outcome) {
  const others = Object.keys(statuses).filter((seen) => Number(seen) !== status)
  if (others.length > 0) throw new Error(`expected ${status} only, got ${JSON.stringify(statuses)}`)
}
