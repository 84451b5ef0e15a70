import { expect, test } from 'vitest'
import type { Connection } from './connection.ts'
import { createUnproven } from './unproven.ts'

const named = (name: string) => ({ name }) as unknown as Connection

test('D182: the oldest of the source with the most goes first, and known sources last', () => {
  const unproven = createUnproven((source) => source === 'office')
  for (const name of ['o1', 'o2', 'o3']) unproven.add(named(name), 'office')
  for (const name of ['a1', 'a2']) unproven.add(named(name), 'attacker')
  unproven.add(named('phone'), 'home')
  const order = Array.from({ length: 7 }, () => (unproven.takeNext() as { name?: string } | undefined)?.name)
  expect(order).toEqual(['a1', 'a2', 'phone', 'o1', 'o2', 'o3', undefined])
  expect(unproven.size()).toBe(0)
})
