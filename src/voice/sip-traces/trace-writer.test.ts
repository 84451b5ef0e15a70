import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../test/helpers/run/test-clock.ts'
import { createTestDatabase } from '../../../test/helpers/run/test-database.ts'
import type { SipTrace, TracedMessage } from '../../engine/port.ts'
import { type Database, openDatabase, openPool } from '../../store/database.ts'
import { createSipTraces } from './sip-traces.ts'
import { createTraceWriter } from './trace-writer.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
beforeEach(async () => {
  database = await createTestDatabase()
  db = openDatabase(openPool({ connectionString: database.url }, { size: 2, onError: () => {} }))
})
afterEach(async () => {
  await db.destroy()
  await database.drop()
})

const clock = createTestClock()

function traceOf(bytes = 100): SipTrace {
  const message: TracedMessage = {
    at: clock.now(),
    direction: 'sent',
    side: 'other',
    party: 'carrier',
    transport: 'udp',
    local: { address: '198.51.100.4', port: 5060 },
    remote: { address: '192.0.2.7', port: 5060 },
    text: 'é'.padEnd(bytes, '\u0000'),
  }
  return { callId: randomUUID(), messages: [message], leftOut: 2 }
}

const start = (waitingBytes = 1_000) =>
  createTraceWriter({ db, clock, node: 'node', bounds: { waitingBytes, perStatement: 2 } })

test('traces are written in statements of some rows, and read as they were', async () => {
  const writer = start()
  const traces = Array.from({ length: 5 }, () => traceOf())
  for (const trace of traces) writer.add(trace)
  writer.add({ ...traceOf(), messages: [] })
  await writer.tick()
  const stored = createSipTraces({ db, clock, days: 3 })
  for (const { callId, messages, leftOut } of traces) {
    const expected = messages.map((message) => ({ ...message, node: 'node' }))
    expect(await stored.read(callId)).toEqual({ messages: expected, leftOut })
  }
  expect(writer.metrics()).toEqual({
    sip_traces_waiting: 0,
    sip_traces_stored_total: 5,
    sip_traces_dropped_total: 0,
  })
})

test('while the database is away traces wait, up to a limit of bytes, and are stored once it is back', async () => {
  const writer = start(1_000)
  for (let count = 0; count < 3; count++) writer.add(traceOf(300))
  await sql`alter table sip_traces rename to away`.execute(db)
  await expect(writer.tick()).rejects.toThrow('sip_traces')
  writer.add(traceOf(300))
  writer.add(traceOf(100))
  expect(writer.metrics()).toMatchObject({ sip_traces_waiting: 4, sip_traces_dropped_total: 1 })
  await sql`alter table away rename to sip_traces`.execute(db)
  await writer.tick()
  await writer.tick()
  expect(writer.metrics()).toEqual({
    sip_traces_waiting: 0,
    sip_traces_stored_total: 4,
    sip_traces_dropped_total: 1,
  })
  expect(await db.selectFrom('sip_traces').select('call_id').execute()).toHaveLength(4)
})

test('a trace that is written again, with its moment, is stored once', async () => {
  const writer = start()
  const trace = traceOf()
  writer.add(trace)
  await writer.tick()
  writer.add(trace)
  await writer.tick()
  expect(await db.selectFrom('sip_traces').select('call_id').execute()).toHaveLength(1)
})
