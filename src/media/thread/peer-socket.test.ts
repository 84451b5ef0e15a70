import { expect, test } from 'vitest'
import type { UdpSocket } from '../udp/port.ts'
import { createPeerSocket } from './peer-socket.ts'

const packet = Buffer.from('sound')
const near = { address: '192.0.2.1', port: 4000 }
const far = { address: '192.0.2.2', port: 4002 }

/** Writes down what is done to it. */
function setUp({ mayConnect = true, connects = true } = {}) {
  const done: string[] = []
  const socket: UdpSocket = {
    send: () => void done.push('send'),
    sendTo: (_packet, port) => void done.push(`send to ${port}`),
    connect(port) {
      done.push(`connect to ${port}`)
      return connects
    },
    disconnect: () => void done.push('disconnect'),
    dropped: () => 0,
    close: async () => {},
  }
  return { peer: createPeerSocket(socket, mayConnect), done }
}

test('D276: it is connected to the peer that it follows, once', () => {
  const { peer, done } = setUp()
  peer.follow(near)
  peer.follow({ ...near })
  peer.send(packet, near.port, near.address)
  peer.follow(far)
  peer.follow(undefined)
  peer.send(packet, near.port, near.address)
  expect(done).toEqual([
    'connect to 4000',
    'send',
    'disconnect',
    'connect to 4002',
    'disconnect',
    'send to 4000',
  ])
})

test('D276: to anybody but its peer it sends disconnected', () => {
  const { peer, done } = setUp()
  peer.follow(near)
  peer.send(packet, far.port, far.address)
  peer.send(packet, near.port, near.address)
  expect(done).toEqual(['connect to 4000', 'disconnect', 'send to 4002', 'send to 4000'])
})

test('D276: an address that it cannot be connected to changes nothing', () => {
  const { peer, done } = setUp({ connects: false })
  peer.follow(near)
  peer.send(packet, near.port, near.address)
  peer.follow(undefined)
  expect(done).toEqual(['connect to 4000', 'send to 4000'])
})

test('D276: bound to all addresses it is never connected', () => {
  const { peer, done } = setUp({ mayConnect: false })
  peer.follow(near)
  peer.send(packet, near.port, near.address)
  expect(done).toEqual(['send to 4000'])
})
