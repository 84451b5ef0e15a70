/** D248: a draining node sends its phones elsewhere and finishes its calls. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { keep, openEngineSetup, soon, startDeskPhone } from '../engine/engine-setup.ts'
import { domain } from '../engine/test-host.ts'

test('new registrations and OPTIONS get 503; idle phones are disconnected, one in a call when it is over', async (t) => {
  const elsewhere = [{ name: 'carrier', address: 'sip:127.0.0.9:5060', qualifySeconds: 0 }]
  const office = keep(t, await openEngineSetup(0, { trunks: elsewhere }))
  const { engine } = office
  keep(t, await startDeskPhone(office, { number: '1000', transport: 'tcp' }))
  const idle = keep(t, await startDeskPhone(office, { number: '1001', transport: 'ws' }))
  keep(t, await startDeskPhone(office, { number: '1002' }))
  const call = office.place({ destination: { extension: { domain, number: '1002' } } })
  await call.until('answered')
  expect(engine.phones()).toBe(3)

  engine.setDraining(true)
  await office.pass(2)
  const gone = (number: string) => () =>
    expect(engine.registration({ domain, number }), number).toBeUndefined()
  await soon(gone('1001'))
  expect(await idle.until((event) => event.type === 'registrationFailed')).toBeDefined()
  expect(engine.registration({ domain, number: '1000' })).toBeDefined()
  for (const [method, seconds] of [
    ['OPTIONS', 30],
    ['REGISTER', 5],
  ] as const) {
    const refusal = new RegExp(`^SIP/2.0 503 .*\\r\\nRetry-After: ${seconds}\\r\\n`, 's')
    expect(await askOnce(office.port, method), method).toMatch(refusal)
  }
  // A phone that is still here may call: it is challenged as ever.
  expect(await askOnce(office.port, 'INVITE')).toMatch(/^SIP\/2.0 40[17] /)
  expect(engine.liveCalls()).toEqual([call.callId])

  // D502: a phone that comes back has no other server.
  const register = (cseq: number) =>
    askOnce(office.port, 'REGISTER', { callId: 'phone-with-one-server', cseq })
  expect(await register(1)).toMatch(/^SIP\/2.0 503 /)
  expect(await register(2)).toMatch(/^SIP\/2.0 503 /)
  await office.pass(4)
  expect(await register(3)).toMatch(/^SIP\/2.0 401 /)

  engine.hangUp(call.callId)
  await call.ended()
  await office.pass(2)
  await soon(gone('1000'))

  engine.setDraining(false)
  expect(await askOnce(office.port, 'OPTIONS')).toMatch(/^SIP\/2.0 200 /)
})

/** The response to a request of a stranger. */
async function askOnce(
  port: number,
  method: string,
  { callId, cseq = 1 }: { callId?: string; cseq?: number } = {},
): Promise<string> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const own = `127.0.0.1:${socket.address().port}`
  const lines = [
    `${method} sip:${domain} SIP/2.0`,
    `Via: SIP/2.0/UDP ${own};branch=z9hG4bK${method}${socket.address().port}`,
    `From: <sip:1003@${domain}>;tag=1`,
    `To: <sip:1003@${domain}>`,
    `Call-ID: ${callId ?? `${method}-${own}`}`,
    `CSeq: ${cseq} ${method}`,
    `Contact: <sip:1003@${own}>`,
    'Max-Forwards: 70',
    'Content-Length: 0',
    '',
    '',
  ]
  try {
    socket.send(lines.join('\r\n'), port, '127.0.0.1')
    const [response] = await once(socket, 'message', { signal: AbortSignal.timeout(10_000) })
    return String(response)
  } finally {
    socket.close()
  }
}
