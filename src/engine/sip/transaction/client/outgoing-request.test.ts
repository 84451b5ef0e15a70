import { expect, test } from 'vitest'
import { firstValue } from '../../message/message.ts'
import { peer, requestOf } from '../testing/memory-wire.ts'
import { ask, createScene, type Scene } from '../testing/transactions.ts'

const large = { body: 'x'.repeat(1_300) }
const ways = (scene: Scene) => scene.sent.map(({ target }) => target.transport)

test('RFC 3261, 18.1.1: a request beyond 1300 bytes goes by TCP, and says so', () => {
  const scene = createScene()
  const { request, answer, heard } = ask(scene, 'INVITE', 'udp', large)
  expect(ways(scene)).toEqual(['tcp'])
  expect(firstValue(requestOf(request()), 'Via')).toContain('SIP/2.0/TCP ')
  answer(200)
  expect(heard).toEqual(['200'])
})

test('it goes by UDP after all when no connection comes about, with repetitions and all', () => {
  const scene = createScene()
  const asked = ask(scene, 'INVITE', 'udp', large)
  scene.lose(scene.lastConnection(), false)
  expect(ways(scene)).toEqual(['tcp', 'udp'])
  expect(firstValue(requestOf(asked.request()), 'Via')).toContain('SIP/2.0/UDP ')
  scene.timers.advance(500)
  expect(ways(scene)).toEqual(['tcp', 'udp', 'udp'])
  asked.answer(100)
  asked.cancel()
  asked.answer(487)
  expect(ways(scene).slice(3)).toEqual(['udp', 'udp'])
  expect(asked.heard).toEqual(['100', '487'])
})

test('who takes no TCP is not asked again for ten minutes', () => {
  const scene = createScene()
  ask(scene, 'MESSAGE', 'udp', large)
  scene.lose(scene.lastConnection(), false)
  ask(scene, 'MESSAGE', 'udp', large)
  expect(ways(scene)).toEqual(['tcp', 'udp', 'udp'])
  scene.timers.advance(600_000)
  scene.sent.length = 0
  ask(scene, 'MESSAGE', 'udp', large)
  expect(ways(scene)).toEqual(['tcp'])
})

test('a connection that was open and is lost is a failure', () => {
  const scene = createScene()
  const { heard } = ask(scene, 'INVITE', 'udp', large)
  scene.lose(scene.lastConnection())
  expect(heard).toEqual(['transport'])
})

test('what UDP cannot carry at all fails with its connection', () => {
  const scene = createScene()
  const { heard } = ask(scene, 'MESSAGE', 'udp', { body: 'x'.repeat(65_000) })
  scene.lose(scene.lastConnection(), false)
  expect(heard).toEqual(['transport'])
})

test('CANCEL and ACK take the way of their INVITE', () => {
  const scene = createScene()
  const asked = ask(scene, 'INVITE', 'udp', large)
  asked.answer(180)
  asked.cancel()
  asked.answer(487)
  const connection = scene.lastConnection()
  expect(scene.sent.slice(1).map(({ message, target }) => [requestOf(message).method, target])).toMatchObject(
    [
      ['CANCEL', { transport: 'tcp', connection }],
      ['ACK', { transport: 'tcp', connection, remote: peer }],
    ],
  )
})
