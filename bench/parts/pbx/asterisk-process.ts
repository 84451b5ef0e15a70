/** The process that starts Asterisk and controls it over ARI. */
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
  // Asterisk may refuse under overload: `liveCalls` still counts what is left.
  hangUp: (callId) => void asterisk.hangUp(callId).catch(() => {}),
  liveCalls: asterisk.liveCalls,
})

const work = { ...callLoad, pid: () => asterisk.pid, stop: asterisk.stop }
export type AsteriskWork = typeof work

answerParent(work)
process.send?.('ready')
