import { expect, test } from 'vitest'
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
import { createExtensionRates } from './extension-rates.ts'

const extension = { domain: 'acme.example', number: '1000' }

test.each([
  ['REGISTER', 30, 1],
  ['INVITE', 200, 2],
] as const)(
  'D473: %s of an extension passes %i times, then %i times a second',
  (method, burst, perSecond) => {
    const timers = createTestTimers()
    const { take } = createExtensionRates({ timers })
    const passing = () => Array.from({ length: 300 }, () => take(method, extension)).filter(Boolean).length
    expect(passing()).toBe(burst)
    expect(take(method, { ...extension, number: '1001' })).toBe(true)
    timers.advance(1_000)
    expect(passing()).toBe(perSecond)
  },
)
