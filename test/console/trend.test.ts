/** D680: how the figures of the operator's overview changed while the page was open. */
import { expect, test } from 'vitest'
import { follow } from '../../console/operator/overview/trend.ts'

const minute = 60_000

test('a change is shown after a minute, against the oldest figures of the last 15 minutes', () => {
  const changesAt = (minutes: number, ...figures: number[]) => follow(figures, minutes * minute)
  expect(changesAt(0, 10, 3)).toBeUndefined()
  expect(changesAt(0.5, 12, 3)).toBeUndefined()
  expect(changesAt(2, 15, 1)).toEqual({ minutes: 2, changes: [5, -2] })
  // Drawn again with the same answer.
  expect(changesAt(2, 15, 1)).toEqual({ minutes: 2, changes: [5, -2] })
  expect(changesAt(16, 20, 1)).toEqual({ minutes: 14, changes: [5, 0] })
})
