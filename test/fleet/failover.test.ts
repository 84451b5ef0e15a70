/** D635: a primary and a synchronous replica of the distribution's PostgreSQL; the primary is killed under calls. */
import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { runFailovers } from '../../bench/parts/failover/failovers.ts'
import { startPostgresPair } from '../../bench/parts/failover/postgres-pair.ts'
import { programMissing } from '../helpers/programs/programs.ts'

const missing = programMissing('/usr/lib/postgresql/*/bin/pg_basebackup')

test('when the primary dies and its replica takes over, no accepted call and no event is lost, and calls go on', async (t) => {
  t.skip(missing, 'PostgreSQL of the distribution is missing')
  const seed = randomInt(2 ** 31)
  const { violations, accepted, ...figures } = await runFailovers({
    times: 1,
    startPair: startPostgresPair,
    synchronous: true,
    seed,
  })
  expect(violations, `seed ${seed}: ${JSON.stringify(figures)}`).toEqual([])
  expect(accepted).toBeGreaterThanOrEqual(120)
}, 300_000)
