import { once } from 'node:events'
import { connect } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { makeCertificate } from '../testing/certificate.ts'
import { connectTo, createTestTransports, host, noting, stopAll } from '../testing/test-transports.ts'
import { requestText } from '../testing/texts.ts'

afterEach(stopAll)

const secrets = makeCertificate()
const text = requestText({ transport: 'TLS' })
const listening = () => createTestTransports({ ports: { tls: 0 }, tls: secrets })

test('a request over TLS is received and answered', async () => {
  const server = await listening()
  const socket = connect({ host, port: server.at('tls').port, ca: secrets.cert, servername: 'sip.test' })
  const { until } = noting(socket)
  await once(socket, 'secureConnect')
  socket.write(text)
  const { flow } = await server.nextMessage()
  expect(flow).toMatchObject({ transport: 'tls', connection: 1 })
  server.transports.send(Buffer.from('answer'), flow)
  await until('answer')
  socket.destroy()
  await server.nextClosed()
})

test('a client without TLS is disconnected, and the port stays open', async () => {
  const server = await listening()
  const client = await connectTo(server.at('tls'))
  client.socket.write(text)
  await client.ended
  expect(server.transports.figures()).not.toHaveProperty('sip_received_tls_total')
  const ours = await createTestTransports({ trust: { ca: secrets.cert } })
  ours.transports.send(Buffer.from(text), { transport: 'tls', remote: server.at('tls') })
  await server.nextMessage()
})

describe('a connection of our own', () => {
  test('verifies the name it was given, or the address', async () => {
    const theirs = await listening()
    const ours = await createTestTransports({ trust: { ca: secrets.cert } })
    const target = { transport: 'tls' as const, remote: theirs.at('tls') }
    const byAddress = ours.transports.send(Buffer.from(text), target)
    const byName = ours.transports.send(Buffer.from(text), { ...target, name: 'sip.test' })
    expect(byName).not.toBe(byAddress)
    await theirs.nextMessage()
    const { flow } = await theirs.nextMessage()
    theirs.transports.send(Buffer.from(text), flow)
    await ours.nextMessage()
  })

  test('sends nothing to a peer it cannot verify', async () => {
    const theirs = await listening()
    const target = { transport: 'tls' as const, remote: theirs.at('tls') }
    const [strict, named] = [
      await createTestTransports(),
      await createTestTransports({ trust: { ca: secrets.cert } }),
    ]
    const flow = strict.transports.send(Buffer.from(text), target)
    expect(await strict.nextClosed()).toEqual({ closed: flow, wasOpen: false })
    named.transports.send(Buffer.from(text), { ...target, name: 'other.test' })
    expect((await named.nextClosed()).wasOpen).toBe(false)
    const trusting = await createTestTransports({ trust: { verify: false } })
    trusting.transports.send(Buffer.from(text), target)
    await theirs.nextMessage()
    expect(theirs.transports.figures().sip_received_tls_total).toBe(1)
  })
})
