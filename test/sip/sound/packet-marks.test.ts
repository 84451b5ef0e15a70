import { expect, test } from 'vitest'
import { socketMarks } from '../../../src/media/testing/socket-marks.ts'
import { whyNot } from '../../../src/media/udp/choose-udp.ts'
import { keep, startDeskPhone } from '../engine/engine-setup.ts'
import { callRequest, openTestHost } from '../engine/test-host.ts'

const onLinux = test.skipIf(whyNot('epoll') !== undefined)
/** Ports that no other test uses, so that all sockets in the range are those of the call. */
const rtpPorts = { from: 32_000, to: 32_399 }

const marksAt = (from: number, to = from) =>
  socketMarks()
    .filter(({ port }) => port >= from && port <= to)
    .map(({ mark }) => mark)
    .toSorted((a, b) => a - b)

onLinux('D632: sound is marked EF; SIP is marked CS3, over UDP, TCP and WebSocket', async (t) => {
  const testHost = keep(t, await openTestHost({ settings: { mediaSockets: 'epoll', rtpPorts } }))
  keep(t, await startDeskPhone(testHost))
  keep(t, await startDeskPhone(testHost, { number: '1001', transport: 'tcp' }))
  keep(t, await startDeskPhone(testHost, { number: '1002', transport: 'ws' }))
  // A socket that listens sends nothing but the handshake of TCP.
  const listens = 0
  expect(marksAt(testHost.port)).toEqual([listens, 24, 24])
  expect(marksAt(testHost.engine.ports().ws ?? 0)).toEqual([listens, 24])
  const request = callRequest()
  testHost.engine.place(request)
  await testHost.until(request.callId, 'extensionAnswered')
  expect(marksAt(rtpPorts.from, rtpPorts.to)).toEqual([46, 46, 46, 46])
})

onLinux('D632: with node:dgram, or by setting, packets have no mark', async (t) => {
  const withDgram = keep(t, await openTestHost({ settings: { mediaSockets: 'dgram' } }))
  expect(marksAt(withDgram.port)).toEqual([0, 0])
  const bySetting = keep(t, await openTestHost({ settings: { mediaSockets: 'epoll', sipDscp: 0 } }))
  expect(marksAt(bySetting.port)).toEqual([0, 0])
})
