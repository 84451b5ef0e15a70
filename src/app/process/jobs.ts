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

  function indexOf(name: string): number {
    const index = names.indexOf(name)
    if (index < 0) throw new Error(`no job "${name}" in this process; it has: ${names.join(', ')}`)
    return index
  }

  return {
    names,
    /** Runs one job now, whatever its schedule: tests call it, also after `stop`. */
    async run(name: string) {
      return await jobs[indexOf(name)]?.tick(() => false)
    },
    /** The same, after the tick that is running, which may have claimed what is due. */
    async runNext(name: string) {
      await loops[indexOf(name)]?.idle()
      return await jobs[indexOf(name)]?.tick(() => false)
    },
    /** Starts no further tick and waits for the running ones. */
    async stop() {
      stopping = true
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
