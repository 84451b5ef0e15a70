import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { limits } from '../../limits.ts'
import { makeCertificate } from '../testing/certificate.ts'
import { atTheEnd, connectTo, createStation, endAll, host, standingTimers } from '../testing/station.ts'
import { requestText } from '../testing/texts.ts'

afterEach(endAll)

const text = requestText({ transport: 'WS' }).replace(/Content-Length: 0\r\n/, '')
const secrets = makeCertificate()

async function browser(port: number, scheme = 'ws', protocols: string[] = ['sip']) {
  const socket = new WebSocket(`${scheme}://${host}:${port}`, protocols, { ca: secrets.cert })
  atTheEnd(() => socket.terminate())
  socket.on('error', () => {})
  await once(socket, 'open')
  return socket
}

describe.each(['ws', 'wss'] as const)('%s', (transport) => {
  const station = () => createStation({ ports: { [transport]: 0 }, tls: secrets })

  test('a frame is a message, text or binary, with or without a length', async () => {
    const { at, heard, transports } = await station()
    const socket = await browser(at(transport).port, transport)
    expect(socket.protocol).toBe('sip')
    socket.send(text)
    socket.send(Buffer.from(text))
    const { flow } = await heard()
    expect((await heard()).flow).toBe(flow)
    expect(flow).toMatchObject({ transport, connection: 1 })
    const received = once(socket, 'message')
    transports.send(Buffer.from('answer é'), flow)
    const [data, isBinary] = await received
    expect([String(data), isBinary]).toEqual(['answer é', false])
    const binary = once(socket, 'message')
    transports.send(Buffer.from([0x41, 0xff]), flow)
    expect((await binary)[1]).toBe(true)
  })

  test('that is gone is told, and nobody is connected to instead', async () => {
    const { at, heard, closed, transports } = await station()
    const socket = await browser(at(transport).port, transport)
    socket.send(text)
    const { flow } = await heard()
    socket.close()
    expect((await closed()).closed).toBe(flow)
    expect(transports.send(Buffer.from('x'), flow, { mayReconnect: true })).toBeUndefined()
  })
})

test('who wears out his welcome is cut', async () => {
  let left = 2
  const admit = (_remote: object, bytes?: Buffer) => bytes === undefined || left-- > 0
  const { at, events, transports } = await createStation({ ports: { ws: 0 }, admit })
  const socket = await browser(at('ws').port)
  for (let n = 0; n < 5; n += 1) socket.send(text)
  await once(socket, 'close')
  expect(events.filter((event) => 'message' in event)).toHaveLength(2)
  expect(transports.figures().sip_connections_cut_unwelcome_total).toBe(1)
})

test('a ping in a frame of its own gets its pong', async () => {
  const { at } = await createStation({ ports: { ws: 0 } })
  const socket = await browser(at('ws').port)
  const received = once(socket, 'message')
  socket.send('\r\n')
  socket.send('\r\n\r\n')
  expect(String((await received)[0])).toBe('\r\n')
})

test('a broken message is answered, and the connection stays', async () => {
  const { at, heard } = await createStation({ ports: { ws: 0 } })
  const socket = await browser(at('ws').port)
  const received = once(socket, 'message')
  socket.send(requestText({ transport: 'WS', line: 'NO' }))
  expect(String((await received)[0])).toMatch(/^SIP\/2\.0 400/)
  socket.send(text)
  await heard()
})

test('a frame beyond all bounds ends the connection', async () => {
  const { at, closed } = await createStation({ ports: { ws: 0 } })
  const socket = await browser(at('ws').port)
  socket.send(Buffer.alloc(limits.messageBytes + 1))
  const [code] = await once(socket, 'close')
  expect(code).toBe(1009)
  await closed()
})

test('closing tells the browser so', async () => {
  const { at, heard, transports } = await createStation({ ports: { ws: 0 } })
  const socket = await browser(at('ws').port)
  socket.send(text)
  const { flow } = await heard()
  transports.close(flow)
  expect((await once(socket, 'close'))[0]).toBe(1000)
})

test('who speaks no SIP, or no WebSocket, is turned away', async () => {
  const { at } = await createStation({ ports: { ws: 0 } })
  await expect(browser(at('ws').port, 'ws', [])).rejects.toThrow('400')
  await expect(browser(at('ws').port, 'ws', ['chat'])).rejects.toThrow('400')
  const [answer] = await once(httpRequest({ host, port: at('ws').port }).end(), 'response')
  expect(answer.statusCode).toBe(426)
  const client = await connectTo(at('ws'))
  client.socket.write('nonsense\r\n\r\n')
  await client.ended
})

test('who never asks for anything is let go', async () => {
  const timers = standingTimers()
  const { at, transports } = await createStation({ ports: { ws: 0, wss: 0, tls: 0 }, tls: secrets, timers })
  const clients = [await connectTo(at('ws')), await connectTo(at('wss')), await connectTo(at('tls'))]
  await browser(at('ws').port).then((socket) => clients.push({ ended: once(socket, 'close') } as never))
  timers.advance(35_000)
  await Promise.all(clients.map(({ ended }) => ended))
  expect(transports.figures().sip_connections_cut_unproven_total).toBe(4)
})
