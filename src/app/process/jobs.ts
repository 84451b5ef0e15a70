/** Background jobs: each role lists its own in a table of these rows. */
import { type Loop, startLoop } from '../../kit/process/loop.ts'

export type Job = {
  /** Logged when a tick fails. */
  name: string
  everyMs: number
  /** Finds what is due, claims it, works, records. A long tick asks now and then whether the process is stopping. */
  tick: (isStopping: () => boolean) => Promise<unknown>
  /** Registers a function that runs the job before its time. */
  onWake?: (wake: () => void) => void
}

export function startJobs(jobs: Job[], onError: (error: unknown, job: string) => void) {
  let stopping = false
  const isStopping = () => stopping
  const loops = jobs.map(({ name, everyMs, tick, onWake }): Loop => {
    const loop = startLoop({ name, everyMs, tick: () => tick(isStopping), onError })
    onWake?.(loop.wake)
    return loop
  })
  const names = jobs.map(({ name }) => name)
  return {
    names,
    /** Runs one job now, whatever its schedule: tests call it, also after `stop`. */
    async run(name: string) {
      const job = jobs.find((one) => one.name === name)
      if (!job) throw new Error(`no job "${name}" in this process; it has: ${names.join(', ')}`)
      return await job.tick(() => false)
    },
    /** Starts no further tick and waits for the running ones. */
    async stop() {
      stopping = true
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
