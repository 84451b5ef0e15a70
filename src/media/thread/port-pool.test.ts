import { expect, test } from 'vitest'
import { createPortPool } from './port-pool.ts'

const drain = (pool: ReturnType<typeof createPortPool>) => {
  const ports: number[] = []
  for (let port = pool.take(); port !== undefined; port = pool.take()) ports.push(port)
  return ports
}

test('pairs begin with an even port and end within the range', () => {
  expect(drain(createPortPool({ from: 20_001, to: 20_008 })).sort()).toEqual([20_002, 20_004, 20_006])
})

test('D174: ports are not handed out in sequence', () => {
  const ports = drain(createPortPool({ from: 20_000, to: 21_999 }))
  const steps = ports.slice(1).filter((port, index) => port === (ports[index] ?? 0) + 2)
  expect(steps.length).toBeLessThan(50)
})

test('D174: a port rests before it is used again', () => {
  let now = 0
  const pool = createPortPool({ from: 20_000, to: 20_007 }, () => now)
  const [first = 0, ...others] = drain(pool)
  for (const port of others) pool.release(port)
  now = 11_000
  pool.release(first)
  expect(drain(pool).at(-1)).toBe(first)
})

test('when all others are taken, the port that rests the longest is used', () => {
  const pool = createPortPool({ from: 20_000, to: 20_005 }, () => 0)
  drain(pool)
  for (const port of [20_004, 20_000, 20_004]) pool.release(port)
  expect(pool.free()).toBe(2)
  expect(drain(pool)).toEqual([20_004, 20_000])
})

test('a range too small for one call is refused', () => {
  expect(() => createPortPool({ from: 20_000, to: 20_002 })).toThrow(RangeError)
})
