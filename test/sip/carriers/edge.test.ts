/** D252: Kamailio as the edge of two nodes; phones know only its address. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createTestTimers } from '../../../src/kit/testing/test-timers.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { deskHertz, keep, openEngineSetup, soon, startDeskPhone } from '../engine/engine-setup.ts'
import { openCarrier } from '../engine/test-carrier.ts'
import { domain, openTestHost } from '../engine/test-host.ts'
import { startKamailio } from '../peers/kamailio.ts'

const extension = { domain, number: '1000' }

/** OPTIONS as a proxy at this socket forwards it for a phone. */
function forwarded(number: number, proxyPort: number, phone: string): string {
  return [
    `OPTIONS sip:${domain} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${proxyPort};branch=z9hG4bKproxy${phone}${number}`,
    `Via: SIP/2.0/UDP 10.0.0.1:5060;received=${phone};rport=5060;branch=z9hG4bKphone${number}`,
    'From: <sip:stranger@invalid>;tag=1',
    `To: <sip:${domain}>`,
    `Call-ID: ${phone}-${number}`,
    'CSeq: 1 OPTIONS',
    'Max-Forwards: 69',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n')
}

test.each([
  ['a trusted edge names: it is limited as a stranger, others behind the edge are not', ['127.0.0.1'], 60],
  ['any other proxy names: it is not believed, and the proxy is the stranger', [], 59],
])('a source that %s', async (_, edges, answered) => {
  // Time stands, so that no budget is refilled.
  const timers = createTestTimers()
  const host = await openTestHost({
    settings: { edges },
    timers,
    isThisMachine: () => false,
    // The sandbox carrier would be at this address.
    trunks: [{ name: 'carrier', address: 'sip:127.0.0.9:5060', qualifySeconds: 0 }],
  })
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const answers: string[] = []
  socket.on('message', (message) => answers.push(String(message)))
  const send = (number: number, phone: string) =>
    socket.send(forwarded(number, socket.address().port, phone), host.port, '127.0.0.1')
  const from = (phone: string) => answers.filter((text) => text.includes(`received=${phone}`)).length
  try {
    send(0, '198.51.100.8')
    await expect.poll(() => from('198.51.100.8')).toBe(1)
    for (let number = 1; number <= 80; number += 1) send(number, '198.51.100.7')
    await expect.poll(() => from('198.51.100.7')).toBe(answered)
    send(81, '198.51.100.8')
    if (edges.length > 0) await expect.poll(() => from('198.51.100.8')).toBe(2)
  } finally {
    socket.close()
    await host.stop()
  }
})

describe.skipIf(programMissing('kamailio'))('a phone behind Kamailio', () => {
  test('is rung through it and talks; it registers at the other node when its own drains', async (t) => {
    const carrier = await openCarrier(t, { answers: true })
    const settings = { edges: ['127.0.0.1'] }
    const first = keep(t, await openEngineSetup(carrier.port, { settings }))
    const second = keep(t, await openEngineSetup(carrier.port, { settings }))
    const edge = keep(t, await startKamailio([first.server, second.server]))

    const phone = keep(t, await startDeskPhone(first, { port: edge.port }))
    const stored = first.engine.registration(extension)?.state ?? ''
    expect(JSON.parse(stored), 'the Path, and the phone behind the edge').toMatchObject({
      p: [expect.stringContaining(`sip:127.0.0.1:${edge.port};lr`)],
      f: ['udp', '127.0.0.1', first.port, '127.0.0.1', edge.port],
      b: ['127.0.0.1', expect.any(Number)],
    })
    expect(JSON.parse(stored).b[1]).not.toBe(edge.port)

    const call = first.place()
    await call.until('answered')
    const { call: atCarrier } = await carrier.incoming(call.callId)
    for (const [one, hertz] of [
      [phone, 1000],
      [atCarrier, deskHertz],
    ] as const) {
      await soon(() => expect(one.heard()?.soundSeconds).toBeGreaterThan(0.3))
      expect(one.heard()?.tone).toMatchObject({ hertz })
    }
    first.engine.hangUp(call.callId)
    expect(await call.ended()).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'service' })
    await phone.until((event) => event.type === 'ended')

    first.engine.setDraining(true)
    keep(t, await startDeskPhone(second, { port: edge.port, number: '1001' }))
    expect(first.engine.registration({ domain, number: '1001' })).toBeUndefined()
    const elsewhere = second.place({ extension: { domain, number: '1001' } })
    await elsewhere.until('answered')
  })
})
