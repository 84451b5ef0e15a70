import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, type TestContext, test, vi } from 'vitest'
import { freePort } from '../../../test/helpers/programs/free-port.ts'
import { socketMarks } from '../testing/socket-marks.ts'
import { describeUdp } from '../testing/udp-contract-suite.ts'
import { createEpollUdp } from './epoll-udp.ts'
import { loadLibc } from './libc.ts'
import type { OnPacket } from './port.ts'

const host = '127.0.0.1'
const soon = { timeout: 30_000, interval: 5 }
const loaded = loadLibc()
const udp = loaded.libc && createEpollUdp(loaded.libc)
const onLinux = test.skipIf(!udp)

if (udp) describeUdp('D630: epoll', udp)

/** A socket, and a peer that sends to it at once: nothing is read before the test waits. */
async function setUp(t: TestContext, onPacket: OnPacket) {
  if (!udp) throw new Error('no epoll')
  const port = await freePort()
  const socket = await udp.open({ host, port, onPacket })
  t.onTestFinished(() => socket.close())
  const peer = createSocket('udp4')
  t.onTestFinished(() => void peer.close())
  peer.connect(port, host)
  await once(peer, 'connect')
  return { socket, peer }
}

onLinux('D630: packets that the kernel drops while nothing reads are counted', async (t) => {
  let received = 0
  const { socket, peer } = await setUp(t, () => {
    received += 1
  })
  const burst = 3000
  for (let n = 0; n < burst; n += 1) peer.send(Buffer.alloc(1400))
  await vi.waitFor(() => expect(received).toBeGreaterThan(0), soon)
  // Each packet says how many were dropped before it.
  let more = 0
  await vi.waitFor(() => {
    peer.send(Buffer.from('more'))
    more += 1
    expect(socket.dropped()).toBeGreaterThan(0)
  }, soon)
  await vi.waitFor(() => expect(received + (socket.dropped() ?? 0)).toBe(burst + more), soon)
})

onLinux('D630: a packet has the time at which the kernel received it', async (t) => {
  const arrivals: number[] = []
  const { peer } = await setUp(t, (_packet, _port, _address, arrivedAt) => arrivals.push(arrivedAt))
  const before = performance.now()
  peer.send('early')
  const after = performance.now()
  while (performance.now() - after < 100) {
    // Keeps the thread busy, so that the packet is read late.
  }
  await vi.waitFor(() => expect(arrivals).toHaveLength(1), soon)
  // The two clocks are compared to about a millisecond, more on a busy machine.
  expect(arrivals[0]).toBeGreaterThan(before - 50)
  expect(arrivals[0]).toBeLessThan(after + 50)
})

onLinux.each(['127.0.0.1', '::1'])(
  'D632: the packets of a socket have the mark of the setting (%s)',
  async (address) => {
    if (!loaded.libc) throw new Error('no epoll')
    const port = await freePort()
    const onPacket = () => {}
    const unmarked = await createEpollUdp(loaded.libc).open({ host: address, port, onPacket })
    expect(socketMarks()).toContainEqual({ port, mark: 0 })
    await unmarked.close()
    const marked = await createEpollUdp(loaded.libc, 46).open({ host: address, port, onPacket })
    expect(socketMarks()).toContainEqual({ port, mark: 46 })
    await marked.close()
  },
)
