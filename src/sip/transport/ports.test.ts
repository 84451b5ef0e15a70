import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../../../test/helpers/programs/free-port.ts'
import { connectTo, createTestTransports, host, stopAll } from './testing/test-transports.ts'

afterEach(stopAll)

test('UDP and TCP share one port, also for port 0', async () => {
  const server = await createTestTransports()
  const { udp, tcp } = server.transports.ports()
  expect(udp).toBe(tcp)
  expect(udp).toBeGreaterThan(0)
  expect(server.transports.sentBy('udp')).toEqual({ host, port: udp })
  expect(server.transports.sentBy('tls')).toEqual({ host, port: undefined })
})

test('a port that is taken is named, and nothing stays open', async () => {
  const udp = await freePort()
  await createTestTransports({ ports: { udp } })
  await expect(createTestTransports({ ports: { udp, tcp: udp } })).rejects.toThrow(
    `SIP port ${udp} (UDP) on ${host} is taken by another program`,
  )
  // Its TCP port was opened before, and is free again.
  const tcpServer = createServer().listen(udp, host)
  await once(tcpServer, 'listening')
  await expect(createTestTransports({ ports: { tcp: udp } })).rejects.toThrow(`SIP port ${udp} (TCP)`)
  await expect(createTestTransports({ ports: { ws: udp } })).rejects.toThrow(`SIP port ${udp} (WS)`)
  tcpServer.close()
  await once(tcpServer, 'close')
})

test('TLS without a certificate is refused at the start', async () => {
  await expect(createTestTransports({ ports: { tls: 0 } })).rejects.toThrow('needs a certificate')
  await expect(createTestTransports({ ports: { udp: 0, wss: 0 } })).rejects.toThrow('needs a certificate')
})

test('stopping closes ports and connections; nothing is sent or reported after it', async () => {
  const port = await freePort()
  const server = await createTestTransports({ ports: { udp: port, tcp: port } })
  const { ended } = await connectTo(server.at('tcp'))
  const target = { transport: 'udp' as const, remote: server.at('udp') }
  await server.transports.stop()
  await ended
  expect(server.events).toEqual([])
  expect(server.transports.send(Buffer.from('x'), target)).toBeUndefined()
  await createTestTransports({ ports: { udp: target.remote.port, tcp: target.remote.port } })
})
