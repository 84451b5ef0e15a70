/** Creates a charge: how much, and how it will be paid. */
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { ApiError } from '../../../clients/typescript/src/errors.ts'
import { request } from '../../api.ts'
import type { NewCharge } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { Field, SelectField } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { useWords } from '../../words/language.ts'
import { chargesKey } from './credit-data.ts'
import { creditWords } from './words.ts'

type Method = NewCharge['paymentMethod']

const methods: Method[] = ['PIX', 'BOLETO', 'CREDIT_CARD', 'UNDEFINED']
const daysToPay = 3

export function TopUp() {
  const words = useWords(creditWords)
  const { timeZone } = useFormat()
  const cache = useQueryClient()
  const form = useForm(async ({ amount = '', method = 'PIX' }) => {
    const body: NewCharge = {
      paymentMethod: methods.find((known) => known === method) ?? 'UNDEFINED',
      amount: Number(amount.replace(',', '.')),
      dueDate: dayIn(timeZone, daysToPay),
    }
    await request('POST', '/charges', { body })
    await cache.invalidateQueries({ queryKey: chargesKey })
  })
  const { refusal } = form
  const needsFiscalData = refusal instanceof ApiError && refusal.errorCode.startsWith('FINANCIAL')
  return (
    <section className="card">
      <h2>{words.topUp}</h2>
      <Form form={form} action={words.create} more={needsFiscalData && <FiscalLink />}>
        <div className="pair">
          <Field
            label={words.amount}
            name="amount"
            inputMode="decimal"
            pattern="[0-9]{1,5}([.,][0-9]{1,2})?"
            placeholder="50,00"
            required
            hint={words.amountHint}
          />
          <SelectField
            label={words.method}
            name="method"
            choices={methods.map((method) => ({ value: method, name: words.methods[method] }))}
            problem={form.problem('paymentMethod')}
          />
        </div>
      </Form>
    </section>
  )
}

function FiscalLink() {
  const words = useWords(creditWords)
  return (
    <Link className="button" href="/fiscal">
      {words.fiscalFirst}
    </Link>
  )
}

/** `2026-11-18`, counted where the account is. */
function dayIn(timeZone: string, days: number): string {
  const date = new Date(Date.now() + days * 86_400_000)
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(date)
}
