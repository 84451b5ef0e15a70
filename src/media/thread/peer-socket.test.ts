import type { Socket } from 'node:dgram'
import { once } from 'node:events'
import { expect, type TestContext, test, vi } from 'vitest'
import { freePort } from '../../../test/helpers/free-port.ts'
import { createPeerSocket } from './peer-socket.ts'
import { newSocket } from './sockets.ts'

const host = '127.0.0.1'
const soon = { timeout: 30_000 }

async function listen(t: TestContext, port = 0): Promise<Socket> {
  const socket = newSocket(host)
  t.onTestFinished(() => void socket.close())
  await new Promise<void>((resolve) => socket.bind(port, host, resolve))
  return socket
}

async function setUp(t: TestContext, mayConnect = true) {
  const [own, peer, other] = [await listen(t, await freePort()), await listen(t), await listen(t)]
  const received: string[] = []
  own.on('message', (packet) => received.push(packet.toString()))
  const socket = createPeerSocket(own, mayConnect)
  return {
    peer,
    other,
    socket,
    received,
    say: (from: Socket, text: string) => from.send(text, own.address().port, host),
    async expectSent(to: Socket) {
      const arrived = once(to, 'message')
      socket.send(Buffer.from('sound'), to.address().port, host)
      expect(String((await arrived)[0])).toBe('sound')
    },
  }
}

const addressOf = (socket: Socket) => ({ address: host, port: socket.address().port })

test('D276: while it follows a peer it receives from that peer only, afterwards from all again', async (t) => {
  const { socket, peer, other, say, received } = await setUp(t)
  socket.follow(addressOf(peer))
  say(other, 'dropped')
  say(peer, 'first')
  await vi.waitFor(() => expect(received).toEqual(['first']), soon)
  socket.follow(undefined)
  say(other, 'second')
  await vi.waitFor(() => expect(received).toEqual(['first', 'second']), soon)
})

test('D276: it sends to its peer and, disconnected, to anybody', async (t) => {
  const { socket, peer, other, expectSent } = await setUp(t)
  socket.follow(addressOf(peer))
  await expectSent(peer)
  await expectSent(other)
  await expectSent(peer)
})

test('D276: an address that it cannot be connected to changes nothing', async (t) => {
  const { socket, peer, expectSent } = await setUp(t)
  socket.follow({ address: '::1', port: 9 })
  await expectSent(peer)
})

test('D276: bound to all addresses it is never connected', async (t) => {
  const { socket, peer, other, say, received } = await setUp(t, false)
  socket.follow(addressOf(peer))
  say(other, 'accepted')
  await vi.waitFor(() => expect(received).toEqual(['accepted']), soon)
})
