/** The process of the load generator: runs jobs sent by its parent, several at once if it gets several. */
import { runFixedRate } from './fixed-rate.ts'
import { runFlatOut } from './flat-out.ts'
import type { Job } from './job.ts'

process.on('disconnect', () => process.exit())
process.on('message', ({ id, job }: { id: number; job: Job }) => {
  const work = job.perSecond === undefined ? runFlatOut(job) : runFixedRate(job, job.perSecond)
  work.then(
    (outcome) => process.send?.({ id, outcome }),
    (error: unknown) => process.send?.({ id, problem: String(error) }),
  )
})
