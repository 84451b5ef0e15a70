import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { connectTo, createTestTransports, host, stopAll } from './testing/test-transports.ts'

afterEach(stopAll)

test('UDP and TCP share one port, also for port 0', async () => {
  const station = await createTestTransports()
  const { udp, tcp } = station.transports.ports()
  expect(udp).toBe(tcp)
  expect(udp).toBeGreaterThan(0)
  expect(station.transports.sentBy('udp')).toEqual({ host, port: udp })
  expect(station.transports.sentBy('tls')).toEqual({ host, port: undefined })
})

test('a port that is taken is named, and nothing stays open', async () => {
  const station = await createTestTransports({ ports: { udp: 0 } })
  const { udp } = station.transports.ports()
  await expect(createTestTransports({ ports: { udp, tcp: udp } })).rejects.toThrow(
    `SIP port ${udp} (UDP) on ${host} is taken by another program`,
  )
  // Its TCP port was opened before, and is free again.
  const server = createServer().listen(udp, host)
  await once(server, 'listening')
  await expect(createTestTransports({ ports: { tcp: udp } })).rejects.toThrow(`SIP port ${udp} (TCP)`)
  await expect(createTestTransports({ ports: { ws: udp } })).rejects.toThrow(`SIP port ${udp} (WS)`)
  server.close()
  await once(server, 'close')
})

test('TLS without a certificate is refused at the start', async () => {
  await expect(createTestTransports({ ports: { tls: 0 } })).rejects.toThrow('needs a certificate')
  await expect(createTestTransports({ ports: { udp: 0, wss: 0 } })).rejects.toThrow('needs a certificate')
})

test('stopping closes ports and connections; nothing is sent or reported after it', async () => {
  const station = await createTestTransports()
  const { ended } = await connectTo(station.at('tcp'))
  const target = { transport: 'udp' as const, remote: station.at('udp') }
  await station.transports.stop()
  await ended
  expect(station.events).toEqual([])
  expect(station.transports.send(Buffer.from('x'), target)).toBeUndefined()
  await createTestTransports({ ports: { udp: target.remote.port, tcp: target.remote.port } })
})
