/** Contract suite of the UDP port: every implementation passes it, with sockets of `node:dgram` as peers. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../../test/helpers/programs/free-port.ts'
import { maxPacketLength } from '../rtp/rtp.ts'
import { type OnPacket, PortInUse, type Udp, type UdpSocket } from '../udp/port.ts'

const ipv4 = '127.0.0.1'
const ipv6 = '::1'
const soon = { timeout: 30_000, interval: 5 }

export function describeUdp(name: string, udp: Udp) {
  const endings: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end()
  })

  async function open(onPacket: OnPacket = () => {}, host = ipv4) {
    const port = await freePort()
    const socket = await udp.open({ host, port, onPacket })
    const state = { isClosed: false }
    const close = async () => {
      if (!state.isClosed) await socket.close()
      state.isClosed = true
    }
    endings.push(close)
    return { socket, port, close }
  }

  /** A socket that keeps the text of its packets. */
  async function listening(host = ipv4) {
    const received: string[] = []
    const opened = await open((packet) => received.push(packet.toString()), host)
    return { socket: opened.socket, port: opened.port, close: opened.close, received }
  }

  async function peer(host = ipv4) {
    const socket = createSocket(host === ipv6 ? 'udp6' : 'udp4')
    endings.push(() => closePeer(socket))
    socket.bind(0, host)
    await once(socket, 'listening')
    const received: Buffer[] = []
    socket.on('message', (packet) => received.push(packet))
    return { socket, port: socket.address().port, received }
  }
  type Peer = Awaited<ReturnType<typeof peer>>

  const textsOf = ({ received }: Peer) => received.map(String)
  const isSent = (from: Socket, packet: Buffer | string, port: number, host = ipv4) =>
    new Promise((resolve) => from.send(packet, port, host, resolve))

  /** The socket and the peer reach each other. */
  async function expectReachable(own: { socket: UdpSocket; port: number; received: string[] }, one: Peer) {
    const [there, back] = [one.received.length, own.received.length]
    own.socket.sendTo(Buffer.from('there'), one.port, ipv4)
    await isSent(one.socket, 'back', own.port)
    await vi.waitFor(() => expect(textsOf(one).slice(there)).toContain('there'), soon)
    await vi.waitFor(() => expect(own.received.slice(back)).toContain('back'), soon)
  }

  describe(`${name}, as all UDP sockets of media`, () => {
    test.each([ipv4, ipv6])('a packet comes with the address and port of its sender (%s)', async (host) => {
      const onPacket = vi.fn((packet: Buffer, port: number, address: string) => [
        String(packet),
        port,
        address,
      ])
      const own = await open(onPacket, host)
      const [first, second] = [await peer(host), await peer(host)]
      await isSent(first.socket, 'one', own.port, host)
      await isSent(second.socket, 'two', own.port, host)
      await isSent(first.socket, 'three', own.port, host)
      await vi.waitFor(() => expect(onPacket).toHaveBeenCalledTimes(3), soon)
      expect(onPacket.mock.results.map(({ value }) => value)).toEqual([
        ['one', first.port, host],
        ['two', second.port, host],
        ['three', first.port, host],
      ])
    })

    test.each([ipv4, ipv6])('packets are sent to any address (%s)', async (host) => {
      const own = await open(undefined, host)
      const [first, second] = [await peer(host), await peer(host)]
      own.socket.sendTo(Buffer.from('one'), first.port, host)
      own.socket.sendTo(Buffer.from('two'), second.port, host)
      await vi.waitFor(() => expect([textsOf(first), textsOf(second)]).toEqual([['one'], ['two']]), soon)
    })

    test('a packet may be changed and sent on while it is delivered', async () => {
      const far = await peer()
      const own = await open((packet) => {
        packet[0] = 0x58
        own.socket.sendTo(packet, far.port, ipv4)
      })
      const near = await peer()
      for (const text of ['-one', '-two', '-three']) await isSent(near.socket, text, own.port)
      await vi.waitFor(() => expect(textsOf(far)).toEqual(['Xone', 'Xtwo', 'Xthree']), soon)
    })

    test('a burst of packets arrives whole and in order', async () => {
      const own = await listening()
      const near = await peer()
      const texts = Array.from({ length: 100 }, (_, n) => `packet ${n}`)
      await Promise.all(texts.map((text) => isSent(near.socket, text, own.port)))
      await vi.waitFor(() => expect(own.received).toEqual(texts), soon)
    })

    test('packets of any content up to the maximum length pass unchanged, empty ones too', async () => {
      const far = await peer()
      const own = await open((packet) => own.socket.sendTo(packet, far.port, ipv4))
      const near = await peer()
      const packet = fc.uint8Array({ maxLength: maxPacketLength })
      await fc.assert(
        fc.asyncProperty(fc.array(packet, { minLength: 1, maxLength: 8 }), async (packets) => {
          far.received.length = 0
          for (const one of packets) await isSent(near.socket, Buffer.from(one), own.port)
          await vi.waitFor(() => expect(far.received).toEqual(packets.map((one) => Buffer.from(one))), soon)
        }),
        { numRuns: 50 },
      )
    })

    test('a packet that is too long is not mistaken for one of an allowed length', async () => {
      const lengths: number[] = []
      const own = await open((packet) => lengths.push(packet.length))
      const near = await peer()
      for (const length of [maxPacketLength, maxPacketLength + 1, 9000, 60_000])
        await isSent(near.socket, Buffer.alloc(length), own.port)
      await vi.waitFor(() => expect(lengths).toHaveLength(4), soon)
      expect(lengths[0]).toBe(maxPacketLength)
      expect(Math.min(...lengths.slice(1))).toBeGreaterThan(maxPacketLength)
    })

    test('D276: connected, it receives from its peer only; disconnected, from all on the same port', async () => {
      const own = await listening()
      const [near, stranger] = [await peer(), await peer()]
      expect(own.socket.connect(near.port, ipv4)).toBe(true)
      await isSent(stranger.socket, 'dropped', own.port)
      await isSent(near.socket, 'first', own.port)
      await vi.waitFor(() => expect(own.received).toEqual(['first']), soon)
      own.socket.send(Buffer.from('connected'))
      await vi.waitFor(() => expect(textsOf(near)).toEqual(['connected']), soon)
      own.socket.disconnect()
      await expectReachable(own, stranger)
      await expectReachable(own, near)
      expect(own.received).not.toContain('dropped')
    })

    test('D276: an address of another family cannot be connected to, and changes nothing', async () => {
      const own = await listening()
      expect(own.socket.connect(9, ipv6)).toBe(false)
      own.socket.sendTo(Buffer.from('lost'), 9, ipv6)
      await expectReachable(own, await peer())
    })

    test('a peer that is gone stops nothing: its refusals are ignored', async () => {
      const own = await listening()
      const [gone, near] = [await peer(), await peer()]
      expect(own.socket.connect(gone.port, ipv4)).toBe(true)
      await closePeer(gone.socket)
      for (let n = 0; n < 5; n += 1) own.socket.send(Buffer.from('refused'))
      own.socket.disconnect()
      // A refusal that is pending may cost a packet.
      await vi.waitFor(() => {
        own.socket.sendTo(Buffer.from('again'), near.port, ipv4)
        expect(textsOf(near)).toContain('again')
      }, soon)
      await expectReachable(own, near)
    })

    test('a port in use is refused by its number, and is free once its socket is closed', async () => {
      const own = await open()
      const again = () => udp.open({ host: ipv4, port: own.port, onPacket: () => {} })
      await expect(again()).rejects.toBeInstanceOf(PortInUse)
      await expect(again()).rejects.toMatchObject({ port: own.port })
      await own.close()
      await (await again()).close()
    })

    test('an address that the host does not have is refused', async () => {
      await expect(
        udp.open({ host: '192.0.2.1', port: await freePort(), onPacket: () => {} }),
      ).rejects.toBeInstanceOf(PortInUse)
    })

    test('a socket that is closed while it receives gets no further packet, and others do', async () => {
      const other = await listening()
      const received: string[] = []
      const own = await open((packet) => {
        received.push(packet.toString())
        void own.close()
      })
      const near = await peer()
      await Promise.all(['one', 'two', 'three'].map((text) => isSent(near.socket, text, own.port)))
      await vi.waitFor(() => expect(received).toHaveLength(1), soon)
      await expectReachable(other, near)
      expect(received).toEqual(['one'])
    })

    test('any order of commands and packets leaves the sockets usable', async () => {
      const [near, stranger] = [await peer(), await peer()]
      const step = fc.constantFrom(
        'connect',
        'connectFails',
        'disconnect',
        'send',
        'sendTo',
        'hear',
        'reopen',
      )
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          let own = await listening()
          let isConnected = false
          for (const name of steps) {
            if (name === 'connect' && !isConnected) isConnected = own.socket.connect(near.port, ipv4)
            if (name === 'connectFails' && !isConnected) own.socket.connect(near.port, ipv6)
            if (name === 'send' && isConnected) own.socket.send(Buffer.from('x'))
            if (name === 'sendTo' && !isConnected) own.socket.sendTo(Buffer.from('x'), stranger.port, ipv4)
            if (name === 'hear') await isSent(stranger.socket, 'x', own.port)
            if (name === 'disconnect' && isConnected) own.socket.disconnect()
            if (name === 'disconnect') isConnected = false
            if (name !== 'reopen') continue
            await own.close()
            own = await listening()
            isConnected = false
          }
          if (isConnected) own.socket.disconnect()
          await expectReachable(own, stranger)
          await own.close()
        }),
        { numRuns: 30 },
      )
    })
  })
}

function closePeer(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    try {
      socket.close(() => resolve())
    } catch {
      // Closed by its test.
      resolve()
    }
  })
}
