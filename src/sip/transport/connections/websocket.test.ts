import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
import { limits } from '../../limits.ts'
import { makeCertificate } from '../testing/certificate.ts'
import { connectTo, createTestTransports, host, onStop, stopAll } from '../testing/test-transports.ts'
import { requestText } from '../testing/texts.ts'

afterEach(stopAll)

const text = requestText({ transport: 'WS' }).replace(/Content-Length: 0\r\n/, '')
const secrets = makeCertificate()

async function browser(port: number, scheme = 'ws', protocols: string[] = ['sip']) {
  const socket = new WebSocket(`${scheme}://${host}:${port}`, protocols, { ca: secrets.cert })
  onStop(() => socket.terminate())
  socket.on('error', () => {})
  await once(socket, 'open')
  return socket
}

describe.each(['ws', 'wss'] as const)('%s', (transport) => {
  const transportsOf = () => createTestTransports({ ports: { [transport]: 0 }, tls: secrets })

  test('a frame is a message, text or binary, with or without a length', async () => {
    const { at, nextMessage, transports } = await transportsOf()
    const socket = await browser(at(transport).port, transport)
    expect(socket.protocol).toBe('sip')
    socket.send(text)
    socket.send(Buffer.from(text))
    const { flow } = await nextMessage()
    expect((await nextMessage()).flow).toBe(flow)
    expect(flow).toMatchObject({ transport, connection: 1 })
    const received = once(socket, 'message')
    transports.send(Buffer.from('answer é'), flow)
    const [data, isBinary] = await received
    expect([String(data), isBinary]).toEqual(['answer é', false])
    const binary = once(socket, 'message')
    transports.send(Buffer.from([0x41, 0xff]), flow)
    expect((await binary)[1]).toBe(true)
  })

  test('that closes is reported, and no other is opened', async () => {
    const { at, nextMessage, nextClosed, transports } = await transportsOf()
    const socket = await browser(at(transport).port, transport)
    socket.send(text)
    const { flow } = await nextMessage()
    socket.close()
    expect((await nextClosed()).closed).toBe(flow)
    expect(transports.send(Buffer.from('x'), flow, { mayReconnect: true })).toBeUndefined()
  })
})

test('a peer that is blocked later is disconnected', async () => {
  let left = 2
  const admit = (_remote: object, bytes?: Buffer) => bytes === undefined || left-- > 0
  const { at, events, transports } = await createTestTransports({ ports: { ws: 0 }, admit })
  const socket = await browser(at('ws').port)
  for (let n = 0; n < 5; n += 1) socket.send(text)
  await once(socket, 'close')
  expect(events.filter((event) => 'message' in event)).toHaveLength(2)
  expect(transports.figures().sip_connections_cut_unwelcome_total).toBe(1)
})

test('a ping in a frame of its own gets its pong', async () => {
  const { at } = await createTestTransports({ ports: { ws: 0 } })
  const socket = await browser(at('ws').port)
  const received = once(socket, 'message')
  socket.send('\r\n')
  socket.send('\r\n\r\n')
  expect(String((await received)[0])).toBe('\r\n')
})

test('D410: a peer that answers pings stays connected, and one that does not is closed within 20 seconds', async () => {
  const timers = createTestTimers()
  const { at, nextClosed, nextMessage, transports } = await createTestTransports({ ports: { ws: 0 }, timers })
  const [alive, other, dead] = [
    await browser(at('ws').port),
    await browser(at('ws').port),
    await browser(at('ws').port),
  ]
  for (const socket of [alive, other]) {
    socket.send(text)
    await nextMessage()
  }
  dead.send(text)
  const { flow } = await nextMessage()
  dead.pause()
  let pings = 0
  alive.on('ping', () => {
    pings += 1
  })
  for (let seconds = 0; seconds < 20; seconds += 5) {
    timers.advance(5_000)
    // What was sent to the server before this has been read there when the answer comes.
    for (let n = 0; n < 2; n += 1) {
      const answered = once(other, 'message')
      other.send('\r\n\r\n')
      await answered
    }
  }
  expect((await nextClosed()).closed).toBe(flow)
  expect(pings).toBe(2)
  expect(transports.figures()).toMatchObject({
    sip_connections: 2,
    sip_connections_cut_unresponsive_total: 1,
  })
})

test('a broken message is answered, and the connection stays', async () => {
  const { at, nextMessage } = await createTestTransports({ ports: { ws: 0 } })
  const socket = await browser(at('ws').port)
  const received = once(socket, 'message')
  socket.send(requestText({ transport: 'WS', line: 'NO' }))
  expect(String((await received)[0])).toMatch(/^SIP\/2\.0 400/)
  socket.send(text)
  await nextMessage()
})

test('a frame beyond all bounds ends the connection', async () => {
  const { at, nextClosed } = await createTestTransports({ ports: { ws: 0 } })
  const socket = await browser(at('ws').port)
  socket.send(Buffer.alloc(limits.messageBytes + 1))
  const [code] = await once(socket, 'close')
  expect(code).toBe(1009)
  await nextClosed()
})

test('closing sends a close frame', async () => {
  const { at, nextMessage, transports } = await createTestTransports({ ports: { ws: 0 } })
  const socket = await browser(at('ws').port)
  socket.send(text)
  const { flow } = await nextMessage()
  transports.close(flow)
  expect((await once(socket, 'close'))[0]).toBe(1000)
})

test('a client without the sip subprotocol, or without WebSocket, is refused', async () => {
  const { at } = await createTestTransports({ ports: { ws: 0 } })
  await expect(browser(at('ws').port, 'ws', [])).rejects.toThrow('400')
  await expect(browser(at('ws').port, 'ws', ['chat'])).rejects.toThrow('400')
  const [answer] = await once(httpRequest({ host, port: at('ws').port }).end(), 'response')
  expect(answer.statusCode).toBe(426)
  const client = await connectTo(at('ws'))
  client.socket.write('nonsense\r\n\r\n')
  await client.ended
})

test('a connection without a request is closed', async () => {
  const timers = createTestTimers()
  const { at, transports } = await createTestTransports({
    ports: { ws: 0, wss: 0, tls: 0 },
    tls: secrets,
    timers,
  })
  const clients = [await connectTo(at('ws')), await connectTo(at('wss')), await connectTo(at('tls'))]
  await browser(at('ws').port).then((socket) => clients.push({ ended: once(socket, 'close') } as never))
  timers.advance(35_000)
  await Promise.all(clients.map(({ ended }) => ended))
  expect(transports.figures().sip_connections_cut_unproven_total).toBe(4)
})
