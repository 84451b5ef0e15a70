/** Five thousand hostile HTTP requests to a running service; `npm run fuzz:http` sends as many as you like. */
import { expect, test } from 'vitest'
import { fuzzHttp } from '../../../bench/parts/http-attack/fuzz.ts'

test('hostile requests neither end the service, nor fail inside, nor keep it from serving others', async () => {
  const { problems, succeeded, operations, statuses } = await fuzzHttp({ requests: 5_000, seed: 20_261_115 })
  expect(problems).toEqual([])
  // Hostile requests that never get past the first check would show little.
  expect(succeeded).toBeGreaterThan(operations * 0.5)
  expect(statuses[422]).toBeGreaterThan(250)
}, 600_000)
