import { afterEach, describe, expect, test, vi } from 'vitest'
import { via } from '../../headers/via.ts'
import type { Peer } from '../flow.ts'
import { returnPath } from '../return-path.ts'
import { connectTo, createStation, endAll, host, standingTimers } from '../testing/station.ts'
import { requestText } from '../testing/texts.ts'

afterEach(endAll)

const text = requestText({ transport: 'TCP', body: 'abc' })

describe('a TCP connection', () => {
  test('carries messages cut into odd pieces, and answers by the same way', async () => {
    const station = await createStation()
    const client = await connectTo(station.at('tcp'))
    const both = text + text
    for (const piece of [both.slice(0, 1), both.slice(1, 40), both.slice(40, text.length + 7)]) {
      client.socket.write(piece)
      await new Promise(setImmediate)
    }
    const { flow, message } = await station.heard()
    client.socket.write(both.slice(text.length + 7))
    expect((await station.heard()).message.body.toString()).toBe('abc')
    expect(flow).toMatchObject({ transport: 'tcp', connection: 1, local: station.at('tcp') })
    station.transports.send(Buffer.from('answer'), returnPath(flow, via(message)))
    await client.until('answer')
    expect(station.transports.figures().sip_connections).toBe(1)
  })

  test('RFC 5626: a ping gets its pong, and a pong nothing', async () => {
    const station = await createStation()
    const client = await connectTo(station.at('tcp'))
    client.socket.write(`\r\n\r\n${text}\r\n`)
    await client.until('\r\n')
    const { flow } = await station.heard()
    station.transports.send(Buffer.from('!'), flow)
    expect(await client.until('!')).toBe('\r\n!')
  })

  test('that speaks nonsense is cut; a broken request is told why first', async () => {
    const station = await createStation()
    const [one, other] = [await connectTo(station.at('tcp')), await connectTo(station.at('tcp'))]
    one.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    other.socket.write(text.replace('Content-Length: 3', 'Content-Length: -3'))
    await Promise.all([one.ended, other.ended])
    expect(one.text()).toBe('')
    expect(other.text()).toMatch(/^SIP\/2\.0 400 Malformed Content-Length/)
    expect(station.transports.figures().sip_connections_cut_malformed_total).toBe(2)
  })

  test('goes on after a broken request that has an end', async () => {
    const station = await createStation()
    const client = await connectTo(station.at('tcp'))
    client.socket.write(requestText({ transport: 'TCP', line: 'NO' }) + text)
    await station.heard()
    expect(await client.until('400')).toContain('Malformed request line')
  })

  test('that is gone is told', async () => {
    const station = await createStation()
    const client = await connectTo(station.at('tcp'))
    client.socket.write(text)
    const { flow } = await station.heard()
    client.socket.destroy()
    expect(await station.closed()).toEqual({ closed: flow, wasOpen: true })
    expect(station.transports.figures().sip_connections).toBe(0)
  })

  test('can be closed, and what was sent before still arrives', async () => {
    const station = await createStation()
    const client = await connectTo(station.at('tcp'))
    client.socket.write(text)
    const { flow } = await station.heard()
    station.transports.send(Buffer.from('bye'), flow)
    station.transports.close(flow)
    await client.ended
    expect(client.text()).toBe('bye')
    await station.closed()
  })

  test('whose other end does not read is cut', async () => {
    const station = await createStation({ limits: { queuedBytes: 100_000 } })
    const client = await connectTo(station.at('tcp'))
    client.socket.write(text)
    const { flow } = await station.heard()
    client.socket.pause()
    const filling = Buffer.alloc(50_000)
    for (let sent = 0; sent < 1_000; sent++) station.transports.send(filling, flow)
    await station.closed()
    expect(station.transports.figures().sip_connections_cut_slow_total).toBe(1)
  })

  test('that never said anything valid is closed after 30 s; a useful one is kept', async () => {
    const timers = standingTimers()
    const station = await createStation({ timers })
    const idle = await connectTo(station.at('tcp'))
    const useful = await connectTo(station.at('tcp'))
    idle.socket.write('\r\n\r\n')
    await idle.until('\r\n')
    useful.socket.write(text)
    const { flow } = await station.heard()
    timers.advance(35_000)
    await idle.ended
    await station.closed()
    timers.advance(3_600_000)
    station.transports.send(Buffer.from('there'), flow)
    await useful.until('there')
    expect(station.transports.figures().sip_connections_cut_unproven_total).toBe(1)
    timers.advance(7_205_000)
    await useful.ended
    expect(station.transports.figures().sip_connections_cut_idle_total).toBe(1)
  })
})

describe('too many connections', () => {
  test('of one source, or in all, are refused', async () => {
    const station = await createStation({ limits: { perSource: 2 } })
    const full = await createStation({ limits: { connections: 1 } })
    for (const [{ transports, at }, allowed, why] of [
      [station, 2, 'source_full'],
      [full, 1, 'full'],
    ] as const) {
      const clients = [await connectTo(at('tcp')), await connectTo(at('tcp')), await connectTo(at('tcp'))]
      await Promise.all(clients.slice(allowed).map(({ ended }) => ended))
      expect(transports.figures()).toMatchObject({
        sip_connections: allowed,
        [`sip_connections_refused_${why}_total`]: 3 - allowed,
      })
    }
  })

  test('that say nothing make room for new ones, and for nobody who has spoken', async () => {
    const station = await createStation({ limits: { unproven: 3 } })
    const useful = await connectTo(station.at('tcp'))
    useful.socket.write(text)
    const { flow } = await station.heard()
    const silent = []
    for (let made = 0; made < 10; made++) silent.push(await connectTo(station.at('tcp')))
    await Promise.all(silent.slice(0, 7).map(({ ended }) => ended))
    station.transports.send(Buffer.from('there'), flow)
    await useful.until('there')
    expect(station.transports.figures()).toMatchObject({
      sip_connections: 4,
      sip_connections_unproven: 3,
      sip_connections_cut_crowded_total: 7,
    })
  })

  test('who is not admitted is not let in', async () => {
    const station = await createStation({ admit: (_remote, bytes) => bytes !== undefined })
    const client = await connectTo(station.at('tcp'))
    await client.ended
    expect(station.transports.figures()).toMatchObject({
      sip_connections: 0,
      sip_dropped_not_admitted_total: 1,
    })
  })

  test('who wears out his welcome is cut, and we ask nobody whom we called ourselves', async () => {
    let left = 3
    const admit = (_remote: Peer, bytes?: Buffer) => bytes === undefined || left-- > 0
    const station = await createStation({ admit })
    const client = await connectTo(station.at('tcp'))
    client.socket.write(text.repeat(5))
    await client.ended
    expect(station.events.filter((event) => 'message' in event)).toHaveLength(3)
    expect(station.transports.figures().sip_connections_cut_unwelcome_total).toBe(1)

    const other = await createStation()
    station.transports.send(Buffer.from(text), { transport: 'tcp', remote: other.at('tcp') })
    const { flow } = await other.heard()
    other.transports.send(Buffer.from(text), flow)
    await station.heard()
    await vi.waitFor(() => expect(station.events.filter((event) => 'message' in event)).toHaveLength(4))
  })
})

describe('a connection of our own', () => {
  const toTcp = (port: number) => ({ transport: 'tcp' as const, remote: { address: host, port } })

  test('is made once for one peer, answers come by it, and it is made anew when it is gone', async () => {
    const [ours, theirs] = [await createStation(), await createStation()]
    const target = toTcp(theirs.at('tcp').port)
    const first = ours.transports.send(Buffer.from(text), target)
    const second = ours.transports.send(Buffer.from(text), target)
    expect(second).toBe(first)
    const { flow } = await theirs.heard()
    await theirs.heard()
    theirs.transports.send(Buffer.from(text), flow)
    expect((await ours.heard()).flow).toBe(first)
    theirs.transports.close(flow)
    await ours.closed()
    const third = ours.transports.send(Buffer.from(text), target)
    expect(third?.connection).not.toBe(first?.connection)
    await theirs.heard()
  })

  test('that is refused, or never comes about, is told', async () => {
    const timers = standingTimers()
    const station = await createStation({ timers })
    const { port } = (await createStation({ ports: { udp: 0 } })).at('udp')
    const flow = station.transports.send(Buffer.from(text), toTcp(port))
    expect(await station.closed()).toEqual({ closed: flow, wasOpen: false })
    const waiting = station.transports.send(Buffer.from(text), toTcp(station.at('tcp').port))
    timers.advance(5_000)
    expect(await station.closed()).toEqual({ closed: waiting, wasOpen: false })
    expect(station.transports.figures().sip_connections_cut_connect_timeout_total).toBe(1)
  })

  test('answers find their way by a new one to sent-by, when theirs is gone; requests do not', async () => {
    const [ours, theirs] = [await createStation(), await createStation()]
    const client = await connectTo(ours.at('tcp'))
    client.socket.write(text.replace('127.0.0.1:5099', `127.0.0.1:${theirs.at('tcp').port}`))
    const { flow, message } = await ours.heard()
    client.socket.destroy()
    await ours.closed()
    expect(ours.transports.send(Buffer.from(text), flow)).toBeUndefined()
    ours.transports.send(Buffer.from(text), returnPath(flow, via(message)), { mayReconnect: true })
    await theirs.heard()
  })

  test('is never made to a browser, a name or nowhere', async () => {
    const { transports } = await createStation()
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
