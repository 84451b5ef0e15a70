/** Sends the webhook all events of a time that it would receive with its settings of now (D606). */
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
import { dayMs, localText } from './recovery.tsx'
import { integrationWords } from './words.ts'

export function Replay({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords(integrationWords)
  const { resend: send } = useWords(deliveryWords)
  const format = useFormat()
  const cache = useQueryClient()
  const form = useForm(async ({ since = '', until = '' }) => {
    const range = { since: new Date(since).toISOString(), until: new Date(until).toISOString() }
    const count = await replayAll(id, range)
    await cache.invalidateQueries({ queryKey: deliveriesKey })
    toast(words.replayed(format.count(count)))
    onClose()
  })
  const now = Date.now()
  return (
    <Dialog title={words.replay} onClose={onClose}>
      <Form form={form} action={send} onCancel={onClose}>
        <p>{words.replayAbout}</p>
        <Field
          label={words.since}
          name="since"
          type="datetime-local"
          required
          defaultValue={localText(new Date(now - dayMs))}
        />
        <Field
          label={words.until}
          name="until"
          type="datetime-local"
          required
          defaultValue={localText(new Date(now + 60_000))}
        />
      </Form>
    </Dialog>
  )
}

/** A long time is read in several steps. */
async function replayAll(id: string, range: { since: string; until: string }): Promise<number> {
  const path = { id }
  let count = 0
  for (let after: string | undefined, more = true; more; ) {
    const body = { ...range, ...(after !== undefined && { after }) }
    const step = await request('POST', '/integrations/{id}/replay', { path, body })
    count += step.replayed
    after = step.cursor
    more = step.more
  }
  return count
}
