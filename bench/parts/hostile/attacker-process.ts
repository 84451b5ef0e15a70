/** The process of the attackers: their work must not slow the measured client. */
import { answerParent } from '../ask.ts'
import { holdBodies, loopRequests } from './http-attacks.ts'
import { attackBySip } from './sip-attacks.ts'

const work = { holdBodies, loopRequests, attackBySip }
export type AttackerWork = typeof work

answerParent(work)
process.send?.('ready')
