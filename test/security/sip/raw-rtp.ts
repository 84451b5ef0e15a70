import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { rtpPacket } from '../../../src/media/testing/sound.ts'

/** A socket that counts what it receives and can send a stream. */
export async function openRtp(t: { onTestFinished(run: () => void): unknown }, address: string) {
  const socket = createSocket('udp4')
  socket.bind(0, address)
  await once(socket, 'listening')
  let received = 0
  let sequence = 0
  socket.on('message', () => {
    received += 1
  })
  t.onTestFinished(() => void socket.close())
  return {
    port: socket.address().port,
    received: () => received,
    speak(to: number, packets = 1) {
      for (let n = 0; n < packets; n += 1) {
        sequence += 1
        socket.send(rtpPacket({ sequence, ssrc: 5 }), to, '127.0.0.1')
      }
    },
  }
}
