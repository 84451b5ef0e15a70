/** What a call to a number costs. */
import { useState } from 'react'
import { request } from '../../api.ts'
import type { RateOfCall } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { Field } from '../../parts/forms/field.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { Refused } from '../../parts/notice.tsx'
import { telephone } from '../../parts/telephone.ts'
import { useLanguage, useWords } from '../../words/language.ts'
import { rateName } from '../../words/rates.ts'
import { creditWords } from './words.ts'

export function PriceSearch() {
  const words = useWords(creditWords)
  const [rate, setRate] = useState<RateOfCall>()
  const form = useForm(async ({ to = '' }) => {
    setRate(undefined)
    setRate(await request('GET', '/rates', { query: { to } }))
  })
  return (
    <section className="card stack">
      <h2>{words.prices}</h2>
      <form className="row" style={{ alignItems: 'end' }} onSubmit={form.onSubmit}>
        <Field label={words.priceTo} name="to" type="tel" required placeholder="(48) 99999-8888" />
        <button type="submit" className="button" disabled={form.isBusy}>
          {words.showPrice}
        </button>
      </form>
      <Refused error={form.refusal} />
      <div role="status">{rate && <Rate rate={rate} />}</div>
    </section>
  )
}

function Rate({ rate }: { rate: RateOfCall }) {
  const words = useWords(creditWords)
  const language = useLanguage()
  const format = useFormat()
  const { to, name, minute_price, firstBlock, step, grace } = rate
  return (
    <dl className="facts">
      <dt>{telephone(to)}</dt>
      <dd>{rateName(name, language)}</dd>
      <dt>{words.minute}</dt>
      <dd className="number">{format.price(minute_price)}</dd>
      <dt>{words.billed}</dt>
      <dd>{words.blocks(firstBlock, step, grace)}</dd>
    </dl>
  )
}
