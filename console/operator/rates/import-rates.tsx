/** Imports a sheet of rates: first what would change and which lines are wrong, then the import (D622). */
import { useState } from 'react'
import type { OperatorRatePlan } from '../../../src/contract/operator-rates.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Check, Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { toast } from '../../parts/toasts.tsx'
import { queryClient } from '../../session.ts'
import { useWords } from '../../words/language.ts'
import { operate } from '../operator-api.ts'
import { operatorWords } from '../words.ts'
import { PlanTable, ProblemList } from './plan.tsx'
import { RateTrial } from './rate-trial.tsx'
import { rateWords } from './words.ts'

type Previewed = { csv: string; replace: boolean; result: OperatorRatePlan }

export function ImportRates({ onClose }: { onClose: () => void }) {
  const own = useWords(rateWords)
  const [previewed, setPreviewed] = useState<Previewed>()
  const form = useForm(async ({ replace: checked }, element) => {
    const file = new FormData(element).get('csv')
    const csv = file instanceof File ? await file.text() : ''
    const replace = checked === 'on'
    setPreviewed(undefined)
    const result = await operate<OperatorRatePlan>('POST', '/rates/preview', { csv, replace })
    setPreviewed({ csv, replace, result })
  })
  const forget = () => setPreviewed(undefined)
  return (
    <Dialog title={own.import} onClose={onClose} wide>
      <Form form={form} action={own.preview} onCancel={onClose}>
        <Field
          label={own.file}
          name="csv"
          type="file"
          accept=".csv,text/csv,text/plain"
          required
          hint={own.fileHint}
          onChange={forget}
        />
        <Check label={own.replace} hint={own.replaceHint} name="replace" onChange={forget} />
      </Form>
      <div role="status">{previewed && <Counts counts={previewed.result.counts} />}</div>
      {previewed && <Preview previewed={previewed} onDone={onClose} />}
    </Dialog>
  )
}

function Counts({ counts }: { counts: OperatorRatePlan['counts'] }) {
  const own = useWords(rateWords)
  return <p>{own.counts(counts.new, counts.changed, counts.gone, counts.unchanged, counts.problems)}</p>
}

function Preview({ previewed, onDone }: { previewed: Previewed; onDone: () => void }) {
  const own = useWords(rateWords)
  const words = useWords(operatorWords)
  const { csv, replace, result } = previewed
  const form = useForm(async ({ reason }) => {
    await operate('POST', '/rates/import', { csv, replace, plan: result.plan, reason })
    await queryClient.invalidateQueries({ queryKey: ['operator'] })
    toast(own.imported)
    onDone()
  })
  const { problems, lines, counts } = result
  if (problems.length > 0) return <ProblemList problems={problems} />
  if (counts.new + counts.changed + counts.gone === 0) return null
  return (
    <div className="stack">
      <PlanTable lines={lines} />
      <section aria-label={own.trial}>
        <h3>{own.trial}</h3>
        <RateTrial sheet={{ csv, replace }} />
      </section>
      <Form form={form} action={own.importNow}>
        <Field
          label={words.reason}
          name="reason"
          required
          minLength={3}
          maxLength={500}
          problem={form.problem('plan') ?? form.problem('csv')}
        />
      </Form>
    </div>
  )
}
