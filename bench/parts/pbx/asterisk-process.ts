/** Asterisk, and beside it the process that tells it what to do. */
import { answerParent } from '../ask.ts'
import { startAsteriskPeer } from './asterisk.ts'
import { createCallLoad } from './call-load.ts'

const [, carrier = '', records = '', phones = ''] = process.argv.slice(2)

const asterisk = await startAsteriskPeer({
  phones: Number(phones),
  carrier: Number(carrier),
  record: records === 'recording',
})

const callLoad = createCallLoad({
  place: asterisk.place,
  // Under overload it refuses: what is left is counted by those who wait for it.
  hangUp: (callId) => void asterisk.hangUp(callId).catch(() => {}),
  liveCalls: asterisk.liveCalls,
})

const work = { ...callLoad, pid: () => asterisk.pid, stop: asterisk.stop }
export type AsteriskWork = typeof work

answerParent(work)
process.send?.('ready')
