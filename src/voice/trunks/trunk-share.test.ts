import { expect, test } from 'vitest'
import { shareOf } from './trunk-share.ts'

test('D250: idle nodes share equally, and a node that has not reported counts as using everything', () => {
  expect(shareOf(30, 0, [undefined, { used: 0, granted: 0 }])).toBe(0)
  expect(
    shareOf(30, 0, [
      { used: 0, granted: 10 },
      { used: 0, granted: 10 },
    ]),
  ).toBe(10)
})

test('D250: whatever the nodes use and in whatever order they report, the sum of the grants stays within the limit', () => {
  // A fixed sequence: the same on every run.
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const nodes = [0, 1, 2].map(() => ({ used: 0, granted: 0 }))
  for (let step = 0; step < 2_000; step += 1) {
    const index = random(3)
    const others = nodes.filter((_, other) => other !== index)
    const used = random(Math.floor(nodes[index]?.granted ?? 0) + 1)
    nodes[index] = { used, granted: Math.max(used, Math.floor(shareOf(50, used, others))) }
    expect(nodes.reduce((sum, { granted }) => sum + granted, 0)).toBeLessThanOrEqual(50)
  }
})

test('D250: what others leave goes to the node that uses it', () => {
  const busy = { used: 0, granted: 15 }
  const idle = { used: 0, granted: 15 }
  for (let turn = 0; turn < 12; turn += 1) {
    busy.used = busy.granted
    busy.granted = Math.floor(shareOf(30, busy.used, [idle]))
    idle.granted = Math.floor(shareOf(30, 0, [busy]))
  }
  expect(busy.granted).toBeGreaterThanOrEqual(28)
})
