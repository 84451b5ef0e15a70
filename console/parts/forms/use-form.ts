/** A form that is sent to the service: what is wrong by field, and whether it is being sent. */
import { type FormEvent, useState } from 'react'
import { ApiRefusal } from '../../api.ts'

export function useForm(send: (values: Record<string, string>, form: HTMLFormElement) => Promise<void>) {
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const values: Record<string, string> = {}
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') values[name] = value
    setIsBusy(true)
    setError(undefined)
    send(values, form)
      .catch(setError)
      .finally(() => setIsBusy(false))
  }

  const fields = error instanceof ApiRefusal ? error.fields : {}
  return {
    onSubmit,
    isBusy,
    /** Undefined if the fields already show what is wrong. */
    error: Object.keys(fields).length > 0 ? undefined : error,
    refusal: error,
    problem: (field: string) => fields[field],
  }
}
