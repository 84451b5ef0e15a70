/** How far a delivery is, as a badge. */
import type { Delivery } from '../../api-types.ts'
import { deliveryWords } from '../../words/deliveries.ts'
import { useWords } from '../../words/language.ts'
import { useFormat } from '../format.ts'

const tones = { delivered: 'badge good', pending: 'badge warn', dead: 'badge bad', skipped: 'badge' }

export function DeliveryState({ delivery }: { delivery: Pick<Delivery, 'status' | 'nextAttemptAt'> }) {
  const words = useWords(deliveryWords)
  const format = useFormat()
  const { status, nextAttemptAt } = delivery
  return (
    <>
      <span className={tones[status]}>{words.statuses[status]}</span>
      {status === 'pending' && (
        <div className="faint small hide-narrow">
          {nextAttemptAt ? words.nextAttempt(format.moment(nextAttemptAt)) : words.behind}
        </div>
      )}
    </>
  )
}
