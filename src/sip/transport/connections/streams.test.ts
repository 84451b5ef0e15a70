import { afterEach, describe, expect, test } from 'vitest'
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
import { via } from '../../headers/via.ts'
import { returnPath } from '../return-path.ts'
import { connectTo, createTestTransports, host, stopAll } from '../testing/test-transports.ts'
import { requestText } from '../testing/texts.ts'

afterEach(stopAll)

const text = requestText({ transport: 'TCP', body: 'abc' })

describe('a TCP connection', () => {
  test('carries messages in any chunks, and the response on the same connection', async () => {
    const server = await createTestTransports()
    const client = await connectTo(server.at('tcp'))
    const both = text + text
    for (const piece of [both.slice(0, 1), both.slice(1, 40), both.slice(40, text.length + 7)]) {
      client.socket.write(piece)
      await new Promise(setImmediate)
    }
    const { flow, message } = await server.nextMessage()
    client.socket.write(both.slice(text.length + 7))
    expect((await server.nextMessage()).message.body.toString()).toBe('abc')
    expect(flow).toMatchObject({ transport: 'tcp', connection: 1, local: server.at('tcp') })
    server.transports.send(Buffer.from('answer'), returnPath(flow, via(message)))
    await client.until('answer')
    expect(server.transports.figures().sip_connections).toBe(1)
  })

  test('RFC 5626: a ping gets its pong, and a pong nothing', async () => {
    const server = await createTestTransports()
    const client = await connectTo(server.at('tcp'))
    client.socket.write(`\r\n\r\n${text}\r\n`)
    await client.until('\r\n')
    const { flow } = await server.nextMessage()
    server.transports.send(Buffer.from('!'), flow)
    expect(await client.until('!')).toBe('\r\n!')
  })

  test('is closed after garbage; a malformed request is answered first', async () => {
    const server = await createTestTransports()
    const [one, other] = [await connectTo(server.at('tcp')), await connectTo(server.at('tcp'))]
    one.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    other.socket.write(text.replace('Content-Length: 3', 'Content-Length: -3'))
    await Promise.all([one.ended, other.ended])
    expect(one.text()).toBe('')
    expect(other.text()).toMatch(/^SIP\/2\.0 400 Malformed Content-Length/)
    expect(server.transports.figures().sip_connections_cut_malformed_total).toBe(2)
  })

  test('goes on after a broken request that has an end', async () => {
    const server = await createTestTransports()
    const client = await connectTo(server.at('tcp'))
    client.socket.write(requestText({ transport: 'TCP', line: 'NO' }) + text)
    await server.nextMessage()
    expect(await client.until('400')).toContain('Malformed request line')
  })

  test('that closes is reported', async () => {
    const server = await createTestTransports()
    const client = await connectTo(server.at('tcp'))
    client.socket.write(text)
    const { flow } = await server.nextMessage()
    client.socket.destroy()
    expect(await server.nextClosed()).toEqual({ closed: flow, wasOpen: true })
    expect(server.transports.figures().sip_connections).toBe(0)
  })

  test('can be closed, and queued messages still arrive', async () => {
    const server = await createTestTransports()
    const client = await connectTo(server.at('tcp'))
    client.socket.write(text)
    const { flow } = await server.nextMessage()
    server.transports.send(Buffer.from('bye'), flow)
    server.transports.close(flow)
    await client.ended
    expect(client.text()).toBe('bye')
    await server.nextClosed()
  })

  test('whose other end does not read is cut', async () => {
    const server = await createTestTransports({ limits: { queuedBytes: 100_000 } })
    const client = await connectTo(server.at('tcp'))
    client.socket.write(text)
    const { flow } = await server.nextMessage()
    client.socket.pause()
    const filling = Buffer.alloc(50_000)
    for (let sent = 0; sent < 1_000; sent++) server.transports.send(filling, flow)
    await server.nextClosed()
    expect(server.transports.figures().sip_connections_cut_slow_total).toBe(1)
  })

  test('is closed after 30 s without a valid message; a proven one is kept', async () => {
    const timers = createTestTimers()
    const server = await createTestTransports({ timers })
    const idle = await connectTo(server.at('tcp'))
    const useful = await connectTo(server.at('tcp'))
    idle.socket.write('\r\n\r\n')
    await idle.until('\r\n')
    useful.socket.write(text)
    const { flow } = await server.nextMessage()
    timers.advance(35_000)
    await idle.ended
    await server.nextClosed()
    timers.advance(3_600_000)
    server.transports.send(Buffer.from('there'), flow)
    await useful.until('there')
    expect(server.transports.figures().sip_connections_cut_unproven_total).toBe(1)
    timers.advance(7_205_000)
    await useful.ended
    expect(server.transports.figures().sip_connections_cut_idle_total).toBe(1)
  })
})

describe('too many connections', () => {
  test('of one source, or in all, are refused', async () => {
    const server = await createTestTransports({ limits: { perSource: 2 } })
    const full = await createTestTransports({ limits: { connections: 1 } })
    for (const [{ transports, at, nextMessage }, allowed, why] of [
      [server, 2, 'source_full'],
      [full, 1, 'full'],
    ] as const) {
      const first = await connectTo(at('tcp'))
      first.socket.write(text)
      await nextMessage()
      const clients = [first, await connectTo(at('tcp')), await connectTo(at('tcp'))]
      await Promise.all(clients.slice(allowed).map(({ ended }) => ended))
      expect(transports.figures()).toMatchObject({
        sip_connections: allowed,
        [`sip_connections_refused_${why}_total`]: 3 - allowed,
      })
    }
  })

  test('D182: make room by closing an unproven one', async () => {
    const server = await createTestTransports({
      limits: { connections: 2 },
      isProvenByMessage: () => false,
    })
    const [first, second] = [await connectTo(server.at('tcp')), await connectTo(server.at('tcp'))]
    first.socket.write(text)
    const { flow } = await server.nextMessage()
    server.transports.prove(flow)
    const third = await connectTo(server.at('tcp'))
    await second.ended
    third.socket.write(text)
    server.transports.prove((await server.nextMessage()).flow)
    await (await connectTo(server.at('tcp'))).ended
    server.transports.send(Buffer.from('there'), flow)
    await first.until('there')
    expect(server.transports.figures()).toMatchObject({
      sip_connections: 2,
      sip_connections_cut_crowded_total: 1,
      sip_connections_refused_full_total: 1,
    })
  })

  test('without a valid message are closed for new ones; proven ones are not', async () => {
    const server = await createTestTransports({ limits: { unproven: 3 } })
    const useful = await connectTo(server.at('tcp'))
    useful.socket.write(text)
    const { flow } = await server.nextMessage()
    const silent = []
    for (let made = 0; made < 10; made++) silent.push(await connectTo(server.at('tcp')))
    await Promise.all(silent.slice(0, 7).map(({ ended }) => ended))
    server.transports.send(Buffer.from('there'), flow)
    await useful.until('there')
    expect(server.transports.figures()).toMatchObject({
      sip_connections: 4,
      sip_connections_unproven: 3,
      sip_connections_cut_crowded_total: 7,
    })
  })

  test('a peer that is not admitted is disconnected', async () => {
    const server = await createTestTransports({ admit: (_remote, bytes) => bytes !== undefined })
    const client = await connectTo(server.at('tcp'))
    await client.ended
    expect(server.transports.figures()).toMatchObject({
      sip_connections: 0,
      sip_dropped_not_admitted_total: 1,
    })
  })

  test('a peer that is blocked later is disconnected; connections we opened are not checked', async () => {
    let left = 3
    const admit = (_from: unknown, bytes?: Buffer) => bytes === undefined || left-- > 0
    const server = await createTestTransports({ admit })
    const client = await connectTo(server.at('tcp'))
    client.socket.write(text.repeat(5))
    await client.ended
    expect(server.events.filter((event) => 'message' in event)).toHaveLength(3)
    expect(server.transports.figures().sip_connections_cut_unwelcome_total).toBe(1)

    const other = await createTestTransports()
    server.transports.send(Buffer.from(text), { transport: 'tcp', remote: other.at('tcp') })
    const { flow } = await other.nextMessage()
    other.transports.send(Buffer.from(text), flow)
    await server.nextMessage()
    await expect.poll(() => server.events.filter((event) => 'message' in event)).toHaveLength(4)
  })
})

describe('a connection of our own', () => {
  const toTcp = (port: number) => ({ transport: 'tcp' as const, remote: { address: host, port } })

  test('is opened once per peer, carries the responses, and is opened again after it closed', async () => {
    const [ours, theirs] = [await createTestTransports(), await createTestTransports()]
    const target = toTcp(theirs.at('tcp').port)
    const first = ours.transports.send(Buffer.from(text), target)
    const second = ours.transports.send(Buffer.from(text), target)
    expect(second).toBe(first)
    const { flow } = await theirs.nextMessage()
    await theirs.nextMessage()
    theirs.transports.send(Buffer.from(text), flow)
    expect((await ours.nextMessage()).flow).toBe(first)
    theirs.transports.close(flow)
    await ours.nextClosed()
    const third = ours.transports.send(Buffer.from(text), target)
    expect(third?.connection).not.toBe(first?.connection)
    await theirs.nextMessage()
  })

  test('that is refused or never established is reported', async () => {
    const timers = createTestTimers()
    const server = await createTestTransports({ timers })
    const { port } = (await createTestTransports({ ports: { udp: 0 } })).at('udp')
    const flow = server.transports.send(Buffer.from(text), toTcp(port))
    expect(await server.nextClosed()).toEqual({ closed: flow, wasOpen: false })
    const waiting = server.transports.send(Buffer.from(text), toTcp(server.at('tcp').port))
    timers.advance(5_000)
    expect(await server.nextClosed()).toEqual({ closed: waiting, wasOpen: false })
    expect(server.transports.figures().sip_connections_cut_connect_timeout_total).toBe(1)
  })

  test.each([
    [true, 'are sent over a new one to sent-by'],
    [false, 'are not sent (D184)'],
  ])(
    'if dialling back is %s, responses whose connection is closed %s; requests never are',
    async (mayDialBack) => {
      const [ours, theirs] = [
        await createTestTransports({ mayDialBack: () => mayDialBack }),
        await createTestTransports(),
      ]
      const client = await connectTo(ours.at('tcp'))
      client.socket.write(text.replace('127.0.0.1:5099', `127.0.0.1:${theirs.at('tcp').port}`))
      const { flow, message } = await ours.nextMessage()
      client.socket.destroy()
      await ours.nextClosed()
      expect(ours.transports.send(Buffer.from(text), flow)).toBeUndefined()
      const back = returnPath(flow, via(message))
      const sent = ours.transports.send(Buffer.from(text), back, { mayReconnect: true })
      expect(sent !== undefined).toBe(mayDialBack)
      if (mayDialBack) await theirs.nextMessage()
    },
  )

  test('is never made to a browser, a name or nowhere', async () => {
    const { transports } = await createTestTransports()
    for (const [transport, address, port] of [
      ['ws', host, 5060],
      ['wss', host, 5060],
      ['tcp', 'name.example', 5060],
      ['tcp', host, 0],
    ] as const) {
      expect(transports.send(Buffer.from(text), { transport, remote: { address, port } })).toBeUndefined()
    }
  })
})
