/** Asks again who is there (D202, D491): the password and, with a second factor, its code. */
import { useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { Field } from '../forms/field.tsx'

export const factorKey = ['second-factor']

export function useSecondFactor() {
  return useQuery({
    queryKey: factorKey,
    queryFn: () => request('GET', '/users/me/second-factor'),
  })
}

/** `name`: what the route calls the password. */
export function PasswordField({ name }: { name: string }) {
  const words = useWords(commonWords)
  return (
    <Field
      label={words.currentPassword}
      name={name}
      type="password"
      autoComplete="current-password"
      required
    />
  )
}

/** Nothing without a second factor. */
export function CodeField() {
  const words = useWords(commonWords)
  const factor = useSecondFactor()
  if (!factor.data?.enabled) return null
  return <Field label={words.appCode} name="code" inputMode="numeric" autoComplete="one-time-code" required />
}
