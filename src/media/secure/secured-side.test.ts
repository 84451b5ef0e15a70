import { expect, test } from 'vitest'
import { createIdentity, fingerprintOf } from '../dtls/certificate.ts'
import { clientHello } from '../testing/client-hello.ts'
import { createHandshakeQueue } from './handshake-queue.ts'
import { createSecuredSide } from './secured-side.ts'

const identity = createIdentity(new Date())
const phone = '192.0.2.7'

/** A side with DTLS whose phone has no ICE; `sent` is what it was answered, with socket and port. */
function openSide() {
  const sent: { socket: string; port: number; random: string }[] = []
  const side = createSecuredSide({
    identity,
    handshakes: createHandshakeQueue((turn) => turn()),
    // The random of a ServerHello follows the headers of its record and its message, and the version.
    send: (socket, datagram, port) =>
      sent.push({ socket, port, random: datagram.subarray(13 + 12 + 2, 13 + 12 + 34).toString('hex') }),
    onProven() {},
    onConnected() {},
    onRefused() {},
  })
  side.expect({ kind: 'dtls', fingerprint: fingerprintOf(identity.certificate), ice: undefined }, [phone])
  return { side, sent }
}

test('RTP and RTCP on two ports have a handshake each, answered from their own socket', () => {
  const { side, sent } = openSide()
  side.open('rtp', clientHello(), 4000, phone, 0)
  side.open('rtcp', clientHello(), 4001, phone, 0)
  expect(sent.map(({ socket, port }) => [socket, port])).toEqual([
    ['rtp', 4000],
    ['rtcp', 4001],
  ])
  expect(new Set(sent.map(({ random }) => random)).size).toBe(2)
})

test('an unfinished handshake of one port is repeated there, and not at the other', () => {
  const { side, sent } = openSide()
  side.open('rtp', clientHello(), 4000, phone, 0)
  side.open('rtcp', clientHello(), 4001, phone, 0)
  const first = sent.splice(0)
  side.tick(performance.now() + 1_000)
  expect(sent).toEqual(first)
})
