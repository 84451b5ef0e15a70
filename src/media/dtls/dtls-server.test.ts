import { randomBytes, randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { clientHello, handshakeRecord } from '../testing/client-hello.ts'
import { createIdentity, fingerprintOf } from './certificate.ts'
import { createDtlsServer } from './dtls-server.ts'
import { messageType } from './handshake.ts'

const identity = createIdentity(new Date())

function open() {
  const sent: Buffer[] = []
  const ended: string[] = []
  const server = createDtlsServer({
    identity,
    expected: fingerprintOf(identity.certificate),
    send: (datagram) => sent.push(datagram),
    onKeys: () => ended.push('keys'),
    onEnd: (reason) => ended.push(reason),
  })
  return { server, sent, ended }
}

test('a ClientHello is answered by one flight, and again only when it is repeated later', () => {
  const { server, sent } = open()
  const hello = clientHello()
  server.receive(hello, 0)
  expect(sent).toHaveLength(1)
  server.receive(hello, 10)
  expect(sent).toHaveLength(1)
  server.receive(hello, 60)
  expect(sent).toHaveLength(2)
})

test('a flight without a response is sent again by the timer', () => {
  const { server, sent } = open()
  server.receive(clientHello(), 0)
  server.tick(399)
  expect(sent).toHaveLength(1)
  server.tick(400)
  server.tick(1_199)
  expect(sent).toHaveLength(2)
  server.tick(1_200)
  expect(sent).toHaveLength(3)
})

test('hostile datagrams neither throw nor give keys', () => {
  const types = Object.values(messageType)
  for (let round = 0; round < 3_000; round += 1) {
    const { server, ended } = open()
    const hello = clientHello()
    // Every other one is changed, so that some get further than the first message.
    if (round % 2 === 0) hello[randomInt(hello.length)] = randomInt(256)
    server.receive(hello, 0)
    for (let number = 1; number < 5; number += 1) {
      const type = round % 3 === 0 ? (types[randomInt(types.length)] ?? 0) : [1, 11, 16, 15, 20][number]
      const datagram = handshakeRecord(type ?? 0, number, randomBytes(randomInt(200)))
      if (randomInt(4) === 0) datagram[randomInt(datagram.length)] = randomInt(256)
      server.receive(datagram, number)
      server.receive(randomBytes(randomInt(1, 1500)), number)
    }
    expect(ended).not.toContain('keys')
  }
})
