import { expect, test } from 'vitest'
import { createTestTimers } from '../../kit/testing/test-timers.ts'
import type { Flow } from '../../sip/transport/flow.ts'
import { createDraining } from './draining.ts'

test('draining closes idle connections of phones, also of a web phone at the address of a carrier (D248)', () => {
  const timers = createTestTimers()
  const at = (connection: number, transport: Flow['transport'], address: string): Flow => ({
    transport,
    local: { address: '192.0.2.1', port: 5060 },
    remote: { address, port: 40_000 + connection },
    connection,
  })
  const flows = [
    at(1, 'tcp', '192.0.2.1'),
    at(3, 'ws', '192.0.2.1'),
    at(5, 'wss', '203.0.113.1'),
    at(7, 'tcp', '203.0.113.1'),
    at(9, 'ws', '203.0.113.1'),
  ]
  const closed: (number | undefined)[] = []
  const draining = createDraining({
    timers,
    flows: () => flows,
    connectionsInUse: () => new Set([9]),
    isShared: (address) => address === '192.0.2.1',
    isFromNode: () => false,
    close: ({ connection }) => closed.push(connection),
  })
  draining.set(true)
  timers.advance(1_000)
  expect(closed).toEqual([3, 5, 7])
})
