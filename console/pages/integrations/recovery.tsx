/** Sends again all deliveries that were given up, of events since a moment. */
import { useQueryClient } from '@tanstack/react-query'
import { request } from '../../api.ts'
import { useFormat } from '../../parts/format.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { deliveriesKey } from '../../parts/records/delivery.tsx'
import { toast } from '../../parts/toasts.tsx'
import { deliveryWords } from '../../words/deliveries.ts'
import { useWords } from '../../words/language.ts'
import { integrationWords } from './words.ts'

export const dayMs = 86_400_000

export function Recovery({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords(integrationWords)
  const { resend: send } = useWords(deliveryWords)
  const format = useFormat()
  const cache = useQueryClient()
  const form = useForm(async ({ since = '' }) => {
    const path = { id }
    const body = { since: new Date(since).toISOString() }
    const { recovered } = await request('POST', '/integrations/{id}/recover', { path, body })
    await cache.invalidateQueries({ queryKey: deliveriesKey })
    toast(words.recovered(format.count(recovered)))
    onClose()
  })
  return (
    <Dialog title={words.recover} onClose={onClose}>
      <Form form={form} action={send} onCancel={onClose}>
        <p>{words.recoverAbout}</p>
        <Field
          label={words.since}
          name="since"
          type="datetime-local"
          required
          defaultValue={localText(new Date(Date.now() - dayMs))}
        />
      </Form>
    </Dialog>
  )
}

/** As `datetime-local` takes it, in the time zone of the browser. */
export function localText(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
