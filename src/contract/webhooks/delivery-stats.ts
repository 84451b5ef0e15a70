/** How the deliveries of a webhook went over time: our addition to the contract (D621). */
import { Instant, instantAs } from '../schema/common.ts'
import { Type } from '../schema/type.ts'

const count = (example: number) => Type.Integer({ examples: [example] })
const milliseconds = (example: number) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], examples: [example] })

const DeliveryPeriod = Type.Object({
  since: instantAs('2026-11-15T11:30:00.000Z'),
  delivered: count(118),
  dead: count(1),
  pending: count(0),
  skipped: count(0),
  medianMs: milliseconds(41),
  p95Ms: milliseconds(180),
})

export const DeliveryStats = Type.Object(
  {
    from: instantAs('2026-11-14T12:30:00.000Z'),
    to: Instant,
    seconds: Type.Integer({ description: 'Length of each period', examples: [3600] }),
    data: Type.Array(DeliveryPeriod),
  },
  { $id: 'DeliveryStats' },
)
