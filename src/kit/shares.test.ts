import { expect, test } from 'vitest'
import { createShares } from './shares.ts'

function takeAll({ take }: ReturnType<typeof createShares>, key: string): number {
  let taken = 0
  while (take(key)) taken += 1
  return taken
}

test('a key gets half of the places that are free, so that each further key finds some', () => {
  const shares = createShares(100)
  expect(['one', 'two', 'three'].map((key) => takeAll(shares, key))).toEqual([51, 25, 13])
  expect(shares.take('four')).toBe(true)
})

test('never more places are taken than there are, and a released one can be taken again', () => {
  const shares = createShares(2)
  expect([shares.take('one'), shares.take('one'), shares.take('two')]).toEqual([true, true, false])
  shares.release('one')
  shares.release('three')
  expect([shares.take('two'), shares.take('two')]).toEqual([true, false])
})
