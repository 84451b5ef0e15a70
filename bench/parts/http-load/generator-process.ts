/** The process of the load generator: runs jobs sent by its parent, several at once if it gets several. */
import { answerParent } from '../ask.ts'
import { runFixedRate } from './fixed-rate.ts'
import { runFlatOut } from './flat-out.ts'
import type { Job } from './job.ts'

const work = {
  run: (job: Job) => (job.perSecond === undefined ? runFlatOut(job) : runFixedRate(job, job.perSecond)),
}
export type GeneratorWork = typeof work

answerParent(work)
