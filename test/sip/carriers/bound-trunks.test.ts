/** D251: a trunk may be bound to the nodes whose addresses its carrier knows. */
import { expect, test } from 'vitest'
import { keep } from '../engine/engine-setup.ts'
import { openTestHost } from '../engine/test-host.ts'

const trunk = (name: string, nodes?: string[]) => ({
  name,
  address: 'sip:127.0.0.9:5060',
  qualifySeconds: 0,
  ...(nodes && { nodes }),
})

test('a node uses the trunks that are bound to its address or to none', async (t) => {
  const trunks = [trunk('all'), trunk('ours', ['192.0.2.9', '127.0.0.1']), trunk('theirs', ['192.0.2.9'])]
  const { engine } = keep(t, await openTestHost({ trunks }))
  expect(engine.trunks().map(({ name }) => name)).toEqual(['all', 'ours'])
  engine.limitTrunks(new Map([['all', { channels: 1, callsPerSecond: 1 }]]))
  expect(engine.trunks()[0]).toMatchObject({ channels: 100, used: 0 })
})

test('where no trunk is bound to a node it has none, and no sandbox in their place', async (t) => {
  const { engine } = keep(t, await openTestHost({ trunks: [trunk('theirs', ['192.0.2.9'])] }))
  expect(engine.trunks()).toEqual([])
  expect(engine.sandbox()).toBeUndefined()
  expect(engine.problems()).toEqual([])
})
