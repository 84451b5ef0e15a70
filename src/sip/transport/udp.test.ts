import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { createTestTimers } from '../../kit/testing/test-timers.ts'
import { via } from '../headers/via.ts'
import { createTestTransports, host, onStop, stopAll } from './testing/test-transports.ts'
import { requestText } from './testing/texts.ts'

afterEach(stopAll)

async function phone() {
  const socket = createSocket('udp4')
  socket.bind(0, host)
  await once(socket, 'listening')
  onStop(() => socket.close())
  const received: string[] = []
  socket.on('message', (bytes) => received.push(bytes.toString()))
  return {
    port: socket.address().port,
    received,
    send: (text: string, port: number) => socket.send(text, port, host),
  }
}

test('a request comes with its source noted, and an answer finds it', async () => {
  const server = await createTestTransports()
  const { send, port, received } = await phone()
  send(requestText({ via: ';rport' }), server.at('udp').port)
  const { message, flow } = await server.nextMessage()
  expect(flow).toEqual({
    transport: 'udp',
    local: server.at('udp'),
    remote: { address: host, port },
  })
  expect(via(message).params.get('rport')).toBe(String(port))
  expect(server.transports.send(Buffer.from('pong'), flow)).toMatchObject({ transport: 'udp' })
  await expect.poll(() => received).toEqual(['pong'])
})

test('keep-alives are not parsed as messages', async () => {
  const server = await createTestTransports()
  const { send } = await phone()
  for (const text of ['\r\n\r\n', '\r\n', '\0', '', requestText()]) send(text, server.at('udp').port)
  await server.nextMessage()
  expect(server.transports.figures()).toMatchObject({
    sip_keep_alives_total: 4,
    sip_received_udp_total: 1,
  })
  expect(server.transports.figures()).not.toHaveProperty('sip_dropped_malformed_total')
})

test('a broken request is answered 400 without a transaction, nonsense is not answered at all', async () => {
  const malformed: number[] = []
  const server = await createTestTransports({ onMalformed: ({ remote }) => malformed.push(remote.port) })
  const { send, port, received } = await phone()
  const to = server.at('udp').port
  send('nonsense\r\n\r\n', to)
  send('SIP/2.0 999 No\r\n\r\n', to)
  send(requestText({ via: ';rport', line: 'OPTIONS  sip:a@b.com SIP/2.0' }), to)
  await expect.poll(() => received).toHaveLength(1)
  expect(received[0]).toMatch(/^SIP\/2\.0 400 Malformed request line\r\n/)
  expect(received[0]).toContain(`rport=${port}`)
  expect(received[0]).toMatch(/To: <sip:b@b\.com>;tag=\w+/)
  expect(malformed).toEqual([port, port, port])
  expect(server.transports.figures()).toMatchObject({
    sip_dropped_malformed_total: 3,
    sip_stateless_total: 1,
  })
})

test('no more than fifty broken ones are answered at once', async () => {
  const server = await createTestTransports({ timers: createTestTimers() })
  const { send } = await phone()
  const broken = requestText({ via: ';rport', line: 'NO' })
  for (let sent = 0; sent < 60; sent++) send(broken, server.at('udp').port)
  send(requestText(), server.at('udp').port)
  await server.nextMessage()
  expect(server.transports.figures()).toMatchObject({
    sip_stateless_total: 50,
    sip_stateless_withheld_total: 10,
  })
})

test('datagrams of a peer that is not admitted are dropped', async () => {
  const asked: (string | undefined)[] = []
  const server = await createTestTransports({
    admit(_remote, bytes) {
      asked.push(bytes?.toString('latin1', 0, 7))
      return asked.length > 1
    },
  })
  const { send } = await phone()
  send(requestText({ branch: 'z9hG4bKa' }), server.at('udp').port)
  send(requestText({ branch: 'z9hG4bKb' }), server.at('udp').port)
  const { message } = await server.nextMessage()
  expect(via(message).params.get('branch')).toBe('z9hG4bKb')
  expect(asked).toEqual(['OPTIONS', 'OPTIONS'])
  expect(server.transports.figures().sip_dropped_not_admitted_total).toBe(1)
})

test('a datagram that cannot be sent is reported, one that is not received is not', async () => {
  const server = await createTestTransports()
  const { port } = await phone()
  const failed = new Promise<void>((resolve) => {
    server.transports.send(
      Buffer.alloc(70_000),
      { transport: 'udp', remote: { address: host, port } },
      { onFailed: resolve },
    )
  })
  await failed
  const absent = { transport: 'udp' as const, remote: { address: host, port: 9 } }
  for (let sent = 0; sent < 3; sent++) {
    server.transports.send(Buffer.from('x'), absent, {
      onFailed: () => {
        throw new Error('reported')
      },
    })
  }
  expect(
    server.transports.send(Buffer.from('x'), { transport: 'udp', remote: { address: '::1', port } }),
  ).toBeUndefined()
  const { send, port: other } = await phone()
  send(requestText({ via: ';rport' }), server.at('udp').port)
  expect((await server.nextMessage()).flow.remote.port).toBe(other)
})

test('an exception in a handler does not affect other messages', async () => {
  const errors: unknown[] = []
  const server = await createTestTransports({ log: { error: (what: unknown) => void errors.push(what) } })
  let calls = 0
  const both = new Promise<void>((resolve) => {
    server.transports.listen({
      onMessage() {
        calls += 1
        if (calls === 2) resolve()
        throw new Error('handler failed')
      },
      onClosed() {},
    })
  })
  const { send } = await phone()
  send(requestText(), server.at('udp').port)
  send(requestText(), server.at('udp').port)
  await both
  await expect.poll(() => errors).toHaveLength(2)
})
