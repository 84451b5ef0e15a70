/** How the deliveries of a webhook went over time: our addition to the contract (D621). */
import { Instant, instantAs } from '../schema/common.ts'
import { Type } from '../schema/type.ts'

const count = (example: number) => Type.Integer({ examples: [example] })
const milliseconds = (description: string, example: number) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description, examples: [example] })

const DeliveryPeriod = Type.Object({
  since: Type.String({
    format: 'date-time',
    description: 'The events of this period were written from then on',
    examples: ['2026-11-15T11:30:00.000Z'],
  }),
  delivered: count(118),
  dead: Type.Integer({ description: 'Given up', examples: [1] }),
  pending: count(0),
  skipped: count(0),
  medianMs: milliseconds('Of the last attempts; null without one', 41),
  p95Ms: milliseconds('Nineteen of twenty took no longer', 180),
})

export const DeliveryStats = Type.Object(
  {
    from: instantAs('2026-11-14T12:30:00.000Z'),
    to: Instant,
    seconds: Type.Integer({ description: 'Length of each period', examples: [3600] }),
    data: Type.Array(DeliveryPeriod, { description: 'Every period, the oldest first' }),
  },
  { $id: 'DeliveryStats' },
)
