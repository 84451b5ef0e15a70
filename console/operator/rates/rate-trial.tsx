/** The rate of a number, now and after the import of a sheet. */
import { useState } from 'react'
import type { OperatorRateFound, OperatorTriedRate } from '../../../src/contract/operator-rates.ts'
import { useFormat } from '../../parts/format.ts'
import { Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { telephone } from '../../parts/telephone.ts'
import { useWords } from '../../words/language.ts'
import { operate } from '../operator-api.ts'
import { operatorWords } from '../words.ts'
import { rateWords } from './words.ts'

/** `sheet`: the import that is being previewed. */
type Props = { sheet?: { csv: string; replace: boolean } | undefined }

export function RateTrial({ sheet }: Props) {
  const words = useWords(operatorWords)
  const own = useWords(rateWords)
  const [found, setFound] = useState<OperatorRateFound>()
  const form = useForm(async ({ number = '', domain = '' }) => {
    setFound(undefined)
    setFound(await operate<OperatorRateFound>('POST', '/rates/trial', { number, domain, ...sheet }))
  })
  return (
    <div className="stack">
      <Form form={form} action={own.try}>
        <div className="pair">
          <Field label={words.number} name="number" type="tel" required placeholder="(48) 99999-8888" />
          <Field
            label={words.domain}
            name="domain"
            hint={own.domainHint}
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
      </Form>
      <div role="status">
        {found && (
          <dl className="facts">
            <Found name={sheet ? own.now : telephone(found.number)} rate={found.current} />
            {sheet && <Found name={own.after} rate={found.planned} />}
          </dl>
        )}
      </div>
    </div>
  )
}

function Found({ name, rate }: { name: string; rate: OperatorTriedRate | undefined }) {
  const own = useWords(rateWords)
  const format = useFormat()
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {rate
          ? own.found({
              prefix: rate.prefix,
              name: rate.name,
              minutePrice: format.price(rate.minutePrice),
              price: format.money(rate.price),
              isOwn: rate.ownDeck,
            })
          : own.noRate}
      </dd>
    </>
  )
}
