/** The process of the simulated endpoints: phones on one port, the carrier on another, RTP on a third. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { answerParent } from '../ask.ts'
import { createAnswering } from './answering.ts'
import { createRegistering, type RegisterJob } from './registering.ts'
import { createRtpStreams } from './rtp-streams.ts'

const bufferBytes = 4 * 1024 * 1024
const sendsRtp = process.argv[2] === 'with RTP'

const phones = await open()
const carrier = await open()
const rtp = createRtpStreams(await open(), sendsRtp)
const registering = createRegistering(phones)
const phoneLegs = createAnswering(phones, rtp)
const carrierLegs = createAnswering(carrier, rtp)

phones.on('message', (bytes, from) => {
  const text = bytes.toString('latin1')
  if (text.startsWith('SIP/2.0 ')) registering.take(text)
  else phoneLegs.take(text, from)
})
carrier.on('message', (bytes, from) => carrierLegs.take(bytes.toString('latin1'), from))

async function open(): Promise<Socket> {
  const socket = createSocket({
    type: 'udp4',
    recvBufferSize: bufferBytes,
    sendBufferSize: bufferBytes,
    // All addresses are IP addresses, so there is nothing to look up.
    lookup: (name, _options, answer) => answer(null, name, 4),
  })
  const listening = once(socket, 'listening')
  socket.bind(0, '127.0.0.1')
  await listening
  return socket
}

const work = {
  ports: () => ({ phones: phones.address().port, carrier: carrier.address().port }),
  register: (job: RegisterJob) => registering.run(job),
  setCarrierAway: (away: boolean) => carrierLegs.setAway(away),
  rtpCounts: () => rtp.count(),
  figures: () => ({ phones: phoneLegs.figures(), carrier: carrierLegs.figures() }),
}
export type SipEndpointsWork = typeof work

answerParent(work)
process.send?.('ready')
