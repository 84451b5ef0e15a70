import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createIdentity, fingerprintOf } from '../dtls/certificate.ts'
import { readMasterKey } from '../srtp/session-keys.ts'
import { createSrtpSender } from '../srtp/srtp.ts'
import { clientHello } from '../testing/client-hello.ts'
import { rtpPacket } from '../testing/sound.ts'
import { createHandshakeQueue, type HandshakeQueue } from './handshake-queue.ts'
import { createSecuredSide } from './secured-side.ts'

const identity = createIdentity(new Date())
const address = '192.0.2.1'
const newKey = () => randomBytes(30).toString('base64')

/** A queue whose turns of the event loop are taken by the test. */
function createTurns() {
  const turns: (() => void)[] = []
  const queue = createHandshakeQueue((turn) => turns.push(turn))
  return { queue, next: () => turns.shift()?.(), count: () => turns.length }
}

function createSide(handshakes: HandshakeQueue, onSent: () => void) {
  return createSecuredSide({
    identity,
    handshakes,
    send: onSent,
    onProven: () => {},
    onConnected: () => {},
    onRefused: () => {},
  })
}

/** A side that is about to shake hands, and the answers it was sent. */
function createBrowser(handshakes: HandshakeQueue) {
  let answers = 0
  const side = createSide(handshakes, () => {
    answers += 1
  })
  const fingerprint = fingerprintOf(identity.certificate)
  side.expect({ kind: 'dtls', fingerprint, ice: undefined }, [address])
  return {
    side,
    greet: () => side.open('rtp', clientHello(), 4000, address, 0),
    answers: () => answers,
  }
}

/** A side that talks. */
function createTalker(handshakes: HandshakeQueue) {
  const theirs = newKey()
  const side = createSide(handshakes, () => {})
  side.expect({ kind: 'sdes', ours: newKey(), theirs }, [address])
  const sender = createSrtpSender(readMasterKey(theirs))
  let sequence = 0
  return {
    relays() {
      const packet = sender.protectRtp(rtpPacket({ sequence: ++sequence }))
      return packet && side.open('rtp', packet, 4000, address, 0)?.kind
    },
  }
}

test('D365: a turn of the event loop takes one step of all handshakes, and sound is relayed before the next', () => {
  const { queue, next, count } = createTurns()
  const browsers = Array.from({ length: 3 }, () => createBrowser(queue))
  const talker = createTalker(queue)
  const answered = () => browsers.map(({ answers }) => answers())

  for (const { greet } of browsers) greet()
  expect(talker.relays()).toBe('rtp')
  expect(answered()).toEqual([0, 0, 0])

  for (const expected of [
    [1, 0, 0],
    [1, 1, 0],
    [1, 1, 1],
  ]) {
    expect(count()).toBe(1)
    next()
    expect(answered()).toEqual(expected)
    expect(talker.relays()).toBe('rtp')
  }
  expect(count()).toBe(0)
})

test('the steps of a call that has ended are left out, and of a side at most 16 wait', () => {
  const { queue, next, count } = createTurns()
  const ended = createBrowser(queue)
  const flooding = createBrowser(queue)
  const other = createBrowser(queue)
  ended.greet()
  for (let sent = 0; sent < 1_000; sent += 1) flooding.greet()
  other.greet()
  ended.side.close()

  let turns = 0
  for (; count() > 0; turns += 1) next()
  expect(turns).toBe(1 + 16 + 1)
  expect(ended.answers()).toBe(0)
  expect(other.answers()).toBe(1)
})

test('a step that is added by the event loop itself runs in a later turn', async () => {
  const queue = createHandshakeQueue()
  const steps: string[] = []
  queue.add(() => {
    steps.push('first')
    queue.add(() => steps.push('third'))
  })
  queue.add(() => steps.push('second'))
  expect(steps).toEqual([])
  await expect.poll(() => steps).toEqual(['first', 'second', 'third'])
})
