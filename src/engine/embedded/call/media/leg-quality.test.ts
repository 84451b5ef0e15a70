/** D284: the estimate of a leg's quality. */
import { expect, test } from 'vitest'
import { createQualityTotals, estimateR, legQuality } from './leg-quality.ts'

test.each([
  [0, 0, 0, 92.7],
  [1, 0, 0, 89.1],
  [5, 20, 100, 74.6],
  [0, 0, 600, 69.8],
  [100, 200, 5000, 0],
])('%d %% of loss, %d ms of jitter and %d ms of round trip are R %d', (loss, jitter, roundTrip, r) => {
  expect(estimateR(loss, jitter, roundTrip)).toBeCloseTo(r, 0)
})

test('a leg of which nothing arrived has no quality, and is in no metric', () => {
  const nothing = {
    received: { packets: 0, bytes: 0 },
    lost: 0,
    jitterMs: 0,
    roundTripMs: undefined,
    droppedByKernel: undefined,
  }
  expect(legQuality(nothing)).toBeUndefined()
  const leg = legQuality({ ...nothing, received: { packets: 75, bytes: 9 }, lost: 25, droppedByKernel: 20 })
  expect(leg).toMatchObject({ packets: 75, lost: 25, lossPercent: 25, droppedByKernel: 20 })
  const totals = createQualityTotals()
  totals.add({ extension: leg, other: undefined })
  expect(totals.metrics()).toEqual({
    legs_measured_total: 1,
    legs_poor_total: 1,
    leg_packets_received_total: 75,
    leg_packets_lost_total: 25,
  })
})
