/** Hands the call over: at once, or after its new party was asked. */
import { useEffect, useId, useRef, useState } from 'react'
import { request } from '../api.ts'
import { useLive } from '../live.ts'
import { Field } from '../parts/forms/field.tsx'
import { Form } from '../parts/forms/form.tsx'
import { useForm } from '../parts/forms/use-form.ts'
import { dialledTelephone } from '../parts/telephone.ts'
import { toastError } from '../parts/toasts.tsx'
import { useWords } from '../words/language.ts'
import { Colleagues } from './colleagues.tsx'
import { phone } from './phone.ts'
import { SuggestedContacts } from './suggestions.tsx'
import { phoneWords } from './words.ts'

export function Transfer({ callId, onClose }: { callId: string; onClose: () => void }) {
  const words = useWords(phoneWords)
  const [dialled, setDialled] = useState<{ id: string; to: string }>()
  const [to, setTo] = useState('')
  const people = useId()
  const field = useRef<HTMLDivElement>(null)
  function choose(ramal: string) {
    setTo(ramal)
    // Enter transfers.
    field.current?.querySelector('input')?.focus()
  }
  const form = useForm(async () => {
    const path = { id: callId }
    const { transferId } = await request('POST', '/calls/{id}/transfer', { path, body: { to } })
    setDialled({ id: transferId, to })
  })
  useNoAnswer(dialled?.id, () => {
    toastError(words.notTransferred(dialledTelephone(to)))
    onClose()
  })
  if (dialled)
    return (
      <p className="small" role="status">
        {words.transferring(dialledTelephone(dialled.to))}
      </p>
    )
  return (
    <div className="transfer stack" ref={field}>
      <Form
        form={form}
        action={words.transferNow}
        more={
          <button
            type="button"
            className="button"
            disabled={to.trim() === ''}
            onClick={() => {
              phone()?.consult(to)
              onClose()
            }}
          >
            {words.askFirst}
          </button>
        }
      >
        <Field
          label={words.transferTo}
          name="to"
          list={people}
          type="tel"
          autoComplete="off"
          required
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
        <datalist id={people}>
          <SuggestedContacts typed={to} />
        </datalist>
      </Form>
      <Colleagues typed={to} onChoose={choose} />
    </div>
  )
}

/** The new party was dialled by a call of its own: if that ends while this one goes on, nobody took it. */
function useNoAnswer(id: string | undefined, onNoAnswer: () => void) {
  const { calls } = useLive()
  const [wasSeen, setWasSeen] = useState(false)
  const isSeen = id !== undefined && calls.some((call) => call.id === id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is live decides.
  useEffect(() => {
    if (isSeen) setWasSeen(true)
    else if (wasSeen) onNoAnswer()
  }, [isSeen, wasSeen])
}
