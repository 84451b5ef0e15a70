import { expect, test } from 'vitest'
import { bugs, patched } from './plant.ts'

test('there are at least 25 planted bugs, each with a name of its own', () => {
  expect(bugs.length).toBeGreaterThanOrEqual(25)
  expect(new Set(bugs.map(({ name }) => name)).size).toBe(bugs.length)
})

test.each(bugs.map((bug) => [bug.name, bug] as const))('D553: %s can still be planted', (_, bug) => {
  expect(patched(bug)).toContain(bug.replace)
})
