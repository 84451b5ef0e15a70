/** A form that is sent to the service: what is wrong by field, and whether it is being sent. */
import { type FormEvent, useEffect, useState } from 'react'
import { isOfEndedSession } from '../../api.ts'
import { fieldsOf } from '../../error-text.ts'
import { whenSignedIn } from '../../session.ts'

/** Sends again once the person signed in, if the session had ended. */
async function sendAgain(send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (!isOfEndedSession(error)) throw error
    await whenSignedIn()
    await send()
  }
}

export function useForm(send: (values: Record<string, string>, form: HTMLFormElement) => Promise<void>) {
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const [refusedForm, setRefusedForm] = useState<HTMLFormElement>()

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const values: Record<string, string> = {}
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') values[name] = value
    setIsBusy(true)
    setError(undefined)
    sendAgain(() => send(values, form))
      .catch((refused: unknown) => {
        setError(refused)
        setRefusedForm(form)
      })
      .finally(() => setIsBusy(false))
  }

  // The first field that is wrong: it says what is.
  useEffect(() => {
    if (!refusedForm) return
    refusedForm.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    setRefusedForm(undefined)
  }, [refusedForm])

  const fields = fieldsOf(error)
  return {
    onSubmit,
    isBusy,
    /** Undefined if the fields already show what is wrong. */
    error: Object.keys(fields).length > 0 ? undefined : error,
    refusal: error,
    problem: (field: string) => fields[field],
  }
}
