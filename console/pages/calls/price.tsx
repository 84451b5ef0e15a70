/** What a call cost, and why. */
import type { CallRecord, CallTimeline } from '../../api-types.ts'
import { duration, useFormat } from '../../parts/format.ts'
import { useLanguage, useWords } from '../../words/language.ts'
import { rateName } from '../../words/rates.ts'
import { callPageWords } from './words.ts'

type Explained = CallTimeline['price']

export function Price({ call, price }: { call: CallRecord; price: Explained | undefined }) {
  const words = useWords(callPageWords)
  const format = useFormat()
  if (call.call_price === null) return <p className="faint">{call.ended_at ? words.pricing : '–'}</p>
  return (
    <div className="stack" style={{ gap: '.6rem' }}>
      <p className="figure">
        <span className="value">{format.money(call.call_price)}</span>
      </p>
      {price ? <Explanation price={price} /> : <p className="faint small">{words.free}</p>}
    </div>
  )
}

function Explanation({ price }: { price: NonNullable<Explained> }) {
  const words = useWords(callPageWords)
  const language = useLanguage()
  const format = useFormat()
  const { rate, prefix, minutePrice, seconds, billedSeconds, firstBlock, step, grace, forgiven } = price
  return (
    <>
      <dl className="facts">
        <dt>{words.rate}</dt>
        <dd>
          {rateName(rate, language)} <span className="faint number">({prefix})</span>
        </dd>
        <dt>{words.perMinute}</dt>
        <dd className="number">{format.price(minutePrice)}</dd>
        <dt>{words.talked}</dt>
        <dd className="number">{duration(seconds)}</dd>
        <dt>{words.billed}</dt>
        <dd className="number">{duration(billedSeconds)}</dd>
      </dl>
      <p className="faint small">
        {billedSeconds === 0 ? words.withinGrace(grace) : words.blocks(firstBlock, step)}
        {forgiven > 0 && ` ${words.forgiven(format.money(forgiven))}`}
      </p>
    </>
  )
}
