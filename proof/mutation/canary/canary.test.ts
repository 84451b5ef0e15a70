import { describe, expect, test } from 'vitest'
import { missingTo, stepAfter } from './canary.ts'

describe('canary of the mutation tests', () => {
  describe('the step after a value', () => {
    test('is larger than the value', () => {
      expect([9, 10, 19].map(stepAfter)).toEqual([10, 20, 20])
    })

    test('is missing after the last one', () => {
      expect(stepAfter(20)).toBeUndefined()
    })
  })

  test('something is missing below the minimum only', () => {
    expect([missingTo(2, 1), missingTo(2, 2), missingTo(2, 3)]).toEqual([1, 0, 0])
  })
})
