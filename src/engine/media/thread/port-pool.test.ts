import { expect, test } from 'vitest'
import { createPortPool } from './port-pool.ts'

const drain = (pool: ReturnType<typeof createPortPool>) => {
  const ports: number[] = []
  for (let port = pool.take(); port !== undefined; port = pool.take()) ports.push(port)
  return ports
}

test('pairs begin with an even port and end within the range', () => {
  expect(drain(createPortPool({ from: 20_001, to: 20_008 }))).toEqual([20_002, 20_004, 20_006])
})

test('the pair released first is taken first; releasing twice changes nothing', () => {
  const pool = createPortPool({ from: 20_000, to: 20_005 })
  drain(pool)
  for (const port of [20_004, 20_000, 20_004]) pool.release(port)
  expect(drain(pool)).toEqual([20_004, 20_000])
})

test('a range too small for one call is refused', () => {
  expect(() => createPortPool({ from: 20_000, to: 20_002 })).toThrow(RangeError)
})
