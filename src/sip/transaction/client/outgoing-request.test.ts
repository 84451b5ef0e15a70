import { expect, test } from 'vitest'
import { firstValue } from '../../message/message.ts'
import { peer, requestOf } from '../testing/memory-wire.ts'
import { ask, createScene, type Scene } from '../testing/transactions.ts'

const large = { body: 'x'.repeat(1_300) }
const reachable = (scene: Scene) => scene.sent.map(({ target }) => target.transport)

test('RFC 3261, 18.1.1: a request beyond 1300 bytes goes by TCP, also in its Via', () => {
  const scene = createScene()
  const { request, answer, outcomes } = ask(scene, 'INVITE', 'udp', large)
  expect(reachable(scene)).toEqual(['tcp'])
  expect(firstValue(requestOf(request()), 'Via')).toContain('SIP/2.0/TCP ')
  answer(200)
  expect(outcomes).toEqual(['200'])
})

test('it goes by UDP after all when no connection comes about, with repetitions and all', () => {
  const scene = createScene()
  const requests = ask(scene, 'INVITE', 'udp', large)
  scene.lose(scene.lastConnection(), false)
  expect(reachable(scene)).toEqual(['tcp', 'udp'])
  expect(firstValue(requestOf(requests.request()), 'Via')).toContain('SIP/2.0/UDP ')
  scene.timers.advance(500)
  expect(reachable(scene)).toEqual(['tcp', 'udp', 'udp'])
  requests.answer(100)
  requests.cancel()
  requests.answer(487)
  expect(reachable(scene).slice(3)).toEqual(['udp', 'udp'])
  expect(requests.outcomes).toEqual(['100', '487'])
})

test('a peer that refuses TCP is not tried again for ten minutes', () => {
  const scene = createScene()
  ask(scene, 'MESSAGE', 'udp', large)
  scene.lose(scene.lastConnection(), false)
  ask(scene, 'MESSAGE', 'udp', large)
  expect(reachable(scene)).toEqual(['tcp', 'udp', 'udp'])
  scene.timers.advance(600_000)
  scene.sent.length = 0
  ask(scene, 'MESSAGE', 'udp', large)
  expect(reachable(scene)).toEqual(['tcp'])
})

test('a connection that was open and is lost is a failure', () => {
  const scene = createScene()
  const { outcomes } = ask(scene, 'INVITE', 'udp', large)
  scene.lose(scene.lastConnection())
  expect(outcomes).toEqual(['transport'])
})

test('CANCEL and ACK use the flow of their INVITE', () => {
  const scene = createScene()
  const requests = ask(scene, 'INVITE', 'udp', large)
  requests.answer(180)
  requests.cancel()
  requests.answer(487)
  const connection = scene.lastConnection()
  expect(scene.sent.slice(1).map(({ message, target }) => [requestOf(message).method, target])).toMatchObject(
    [
      ['CANCEL', { transport: 'tcp', connection }],
      ['ACK', { transport: 'tcp', connection, remote: peer }],
    ],
  )
})
