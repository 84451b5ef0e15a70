/**
 * How much a call takes in the database: calls with two members of metadata, from placing to price, stored by the service
 * itself. Tables with their indexes after vacuum, and the WAL that was written meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type FullService, withFullService } from './parts/full-service/full-service.ts'
import { addPhones, placeFromEach } from './parts/full-service/phones.ts'
import { expectOnly, type Generator, withGenerator } from './parts/http-load/generator.ts'
import { alone, type Result } from './parts/table.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 30)
const phones = { first: 1010, count: 50 }
/** Below this a table says nothing about calls. */
const minBytes = 5

export function room(): Promise<Result[]> {
  return withFullService({ engine: 'fake' }, (service) =>
    withGenerator('anywhere', async (generator) => {
      await addPhones(service, phones)
      await service.ask('behave', 'priced call')
      // So that no table begins empty: a first page counts for nothing.
      await placeCalls(generator, service, 2)
      const before = await service.ask('sizes')
      await placeCalls(generator, service, seconds)
      const after = await service.ask('sizes')
      return report(before, after)
    }),
  )
}

async function placeCalls(generator: Generator, service: FullService, forSeconds: number) {
  const { port, token } = service
  const requests = placeFromEach(phones, token)
  const job = { port, requests, connections: 32, perAddress: 'one' as const, seconds: forSeconds }
  expectOnly(200, await generator.run(job))
  await service.ask('endAll')
  await sleep(1_000)
}

type Sizes = { calls: number; wal: number; bytes: Record<string, number> }

function report(before: Sizes, after: Sizes): Result[] {
  const calls = after.calls - before.calls
  const perCall = Object.entries(after.bytes)
    .map(([table, bytes]) => ({ table, bytes: (bytes - (before.bytes[table] ?? 0)) / calls }))
    .filter(({ bytes }) => bytes >= minBytes)
    .sort((one, other) => other.bytes - one.bytes)
  const sum = perCall.reduce((total, { bytes }) => total + bytes, 0)
  return [
    ...perCall.map(({ table, bytes }) => alone(`room, a call in ${table}`, [bytes], 'B')),
    alone(`room, a call in all (of ${calls})`, [sum], 'B'),
    alone('room, WAL of a call', [(after.wal - before.wal) / calls], 'B'),
  ]
}
