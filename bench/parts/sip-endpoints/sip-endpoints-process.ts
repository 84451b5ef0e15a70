/** The crowd's own process: phones at one port, a carrier's customers at another, their sound at a third. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { answerParent } from '../ask.ts'
import { createAnswering } from './answering.ts'
import { createRegistering, type RegisterJob } from './registering.ts'
import { createSound } from './rtp-streams.ts'

const bufferBytes = 4 * 1024 * 1024
const speaks = process.argv[2] === 'speaking'

const phones = await open()
const carrier = await open()
const sound = createSound(await open(), speaks)
const registering = createRegistering(phones)
const phoneLegs = createAnswering(phones, sound)
const carrierLegs = createAnswering(carrier, sound)

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
    // Addresses are numbers already.
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
  sound: () => sound.count(),
  figures: () => ({ phones: phoneLegs.figures(), carrier: carrierLegs.figures() }),
}
export type CrowdWork = typeof work

answerParent(work)
process.send?.('ready')
