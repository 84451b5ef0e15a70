import { expect, test } from 'vitest'
import type { FromThread } from './messages.ts'
import { createOutbox } from './outbox.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))
const silent = { type: 'silent', side: 'other' } as const

function listening() {
  const posted: FromThread[] = []
  return { posted, outbox: createOutbox((message) => posted.push(message)) }
}

test('what happens in one turn is one message', async () => {
  const { posted, outbox } = listening()
  outbox.tell('a', silent)
  outbox.tell('b', silent)
  outbox.answer({ id: 1 })
  await turn()
  expect(posted).toHaveLength(1)
  expect(posted[0]).toMatchObject({ answers: [{ id: 1 }], events: [{ call: 'a' }, { call: 'b' }] })
})

test('events wait until the last batch was heard, answers do not', async () => {
  const { posted, outbox } = listening()
  outbox.tell('a', silent)
  await turn()
  outbox.tell('b', silent)
  outbox.answer({ id: 1 })
  await turn()
  expect(posted.at(-1)).toEqual({ answers: [{ id: 1 }], events: [], missed: 0 })
  outbox.heard()
  await turn()
  expect(posted.at(-1)?.events).toEqual([{ call: 'b', event: silent }])
})

test('a service that does not listen misses events beyond 4096, and is told how many', async () => {
  const { posted, outbox } = listening()
  outbox.tell('a', silent)
  await turn()
  for (let n = 0; n < 5000; n += 1) outbox.tell('b', silent)
  outbox.heard()
  await turn()
  expect(posted.at(-1)).toMatchObject({ missed: 5000 - 4096 })
  expect(posted.at(-1)?.events).toHaveLength(4096)
})
