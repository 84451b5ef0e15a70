/** Starts the load generator's process and sends it jobs. */
import { fileURLToPath } from 'node:url'
import { type Place, startNode, stopChild } from '../children.ts'
import type { Job, Outcome } from './job.ts'

const program = fileURLToPath(new URL('./generator-process.ts', import.meta.url))
/** A job that takes this much longer than planned has lost a response. */
const graceMs = 30_000

type Report = { id: number; outcome?: Outcome; problem?: string }

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
  let jobs = 0

  function run(job: Job): Promise<Outcome> {
    const id = ++jobs
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(late)
        child.off('message', take)
        child.off('exit', lose)
      }
      const lose = () => {
        end()
        reject(new Error('the load generator did not finish its job'))
      }
      const take = (report: Report) => {
        if (report.id !== id) return
        end()
        if (report.outcome) resolve(report.outcome)
        else reject(new Error(report.problem))
      }
      const late = setTimeout(lose, job.seconds * 1000 + graceMs)
      child.on('message', take)
      child.on('exit', lose)
      child.send({ id, job })
    })
  }

  return { run, pid: child.pid ?? 0, stop: () => stopChild(child) }
}
export type Generator = ReturnType<typeof startGenerator>

/** Throws on any other status: such a round did not measure what it should. */
export function expectOnly(status: number, { statuses }: Outcome) {
  const others = Object.keys(statuses).filter((seen) => Number(seen) !== status)
  if (others.length > 0) throw new Error(`expected ${status} only, got ${JSON.stringify(statuses)}`)
}
