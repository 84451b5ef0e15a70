import { once } from 'node:events'
import { connect } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { makeCertificate } from '../testing/certificate.ts'
import { connectTo, createStation, endAll, host, noting } from '../testing/station.ts'
import { requestText } from '../testing/texts.ts'

afterEach(endAll)

const secrets = makeCertificate()
const text = requestText({ transport: 'TLS' })
const listening = () => createStation({ ports: { tls: 0 }, tls: secrets })

test('a client is heard and answered', async () => {
  const station = await listening()
  const socket = connect({ host, port: station.at('tls').port, ca: secrets.cert, servername: 'sip.test' })
  const { until } = noting(socket)
  await once(socket, 'secureConnect')
  socket.write(text)
  const { flow } = await station.heard()
  expect(flow).toMatchObject({ transport: 'tls', connection: 1 })
  station.transports.send(Buffer.from('answer'), flow)
  await until('answer')
  socket.destroy()
  await station.closed()
})

test('who speaks no TLS is let go, and the port lives on', async () => {
  const station = await listening()
  const client = await connectTo(station.at('tls'))
  client.socket.write(text)
  await client.ended
  expect(station.transports.figures()).not.toHaveProperty('sip_received_tls_total')
  const ours = await createStation({ trust: { ca: secrets.cert } })
  ours.transports.send(Buffer.from(text), { transport: 'tls', remote: station.at('tls') })
  await station.heard()
})

describe('a connection of our own', () => {
  test('verifies the name it was given, or the address', async () => {
    const theirs = await listening()
    const ours = await createStation({ trust: { ca: secrets.cert } })
    const target = { transport: 'tls' as const, remote: theirs.at('tls') }
    const byAddress = ours.transports.send(Buffer.from(text), target)
    const byName = ours.transports.send(Buffer.from(text), { ...target, name: 'sip.test' })
    expect(byName).not.toBe(byAddress)
    await theirs.heard()
    const { flow } = await theirs.heard()
    theirs.transports.send(Buffer.from(text), flow)
    await ours.heard()
  })

  test('tells nothing to whom it cannot verify', async () => {
    const theirs = await listening()
    const target = { transport: 'tls' as const, remote: theirs.at('tls') }
    const [strict, named] = [await createStation(), await createStation({ trust: { ca: secrets.cert } })]
    const flow = strict.transports.send(Buffer.from(text), target)
    expect(await strict.closed()).toEqual({ closed: flow, wasOpen: false })
    named.transports.send(Buffer.from(text), { ...target, name: 'other.test' })
    expect((await named.closed()).wasOpen).toBe(false)
    const trusting = await createStation({ trust: { verify: false } })
    trusting.transports.send(Buffer.from(text), target)
    await theirs.heard()
    expect(theirs.transports.figures().sip_received_tls_total).toBe(1)
  })
})
