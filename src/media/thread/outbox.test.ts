import { expect, test } from 'vitest'
import type { FromThread } from './messages.ts'
import { createOutbox } from './outbox.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))
const silent = { type: 'silent', side: 'other' } as const

function listening() {
  const posted: FromThread[] = []
  return { posted, outbox: createOutbox((message) => posted.push(message)) }
}

test('events and answers of one turn are one message', async () => {
  const { posted, outbox } = listening()
  outbox.emit('a', silent)
  outbox.emit('b', silent)
  outbox.answer({ id: 1 })
  await turn()
  expect(posted).toHaveLength(1)
  expect(posted[0]).toMatchObject({ answers: [{ id: 1 }], events: [{ call: 'a' }, { call: 'b' }] })
})

test('events wait until the last batch was acknowledged, answers do not', async () => {
  const { posted, outbox } = listening()
  outbox.emit('a', silent)
  await turn()
  outbox.emit('b', silent)
  outbox.answer({ id: 1 })
  await turn()
  expect(posted.at(-1)).toEqual({ answers: [{ id: 1 }], events: [], missed: 0 })
  outbox.acknowledge()
  await turn()
  expect(posted.at(-1)?.events).toEqual([{ call: 'b', event: silent }])
})

test('a blocked service misses events beyond 4096, and gets their number', async () => {
  const { posted, outbox } = listening()
  outbox.emit('a', silent)
  await turn()
  for (let n = 0; n < 5000; n += 1) outbox.emit('b', silent)
  outbox.acknowledge()
  await turn()
  expect(posted.at(-1)).toMatchObject({ missed: 5000 - 4096 })
  expect(posted.at(-1)?.events).toHaveLength(4096)
})
