/** E-mail and password, then the code of the second factor if there is one. */
import { useState } from 'react'
import { Link } from 'wouter'
import { SecondFactorRequiredError } from '../../clients/typescript/src/errors.ts'
import { Check, Field } from '../parts/forms/field.tsx'
import { useForm } from '../parts/forms/use-form.ts'
import { Refused } from '../parts/notice.tsx'
import { type SignIn, signIn } from '../session.ts'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { Outside } from './outside.tsx'
import { shellWords } from './words.ts'

export function SignInPage() {
  const words = useWords(shellWords)
  return (
    <Outside title={words.signIn} about={words.signInAbout}>
      <SignInForm />
      <p className="small">
        {words.noAccount} <Link href="/signup">{words.signUp}</Link>
      </p>
    </Outside>
  )
}

type Props = { email?: string; onDone?: () => void }

export function SignInForm({ email, onDone }: Props) {
  const words = useWords(shellWords)
  const common = useWords(commonWords)
  /** What was accepted, when only the code is missing. */
  const [known, setKnown] = useState<SignIn>()
  const form = useForm(async (values) => {
    const given = known ?? {
      email: values.email ?? '',
      password: values.password ?? '',
      keep: values.keep === 'on',
    }
    try {
      await signIn(known ? { ...known, code: (values.code ?? '').trim() } : given)
      onDone?.()
    } catch (error) {
      if (!(error instanceof SecondFactorRequiredError)) throw error
      setKnown(given)
    }
  })
  if (known) {
    return (
      <form className="form" onSubmit={form.onSubmit}>
        <Field
          label={words.code}
          hint={words.codeAbout}
          name="code"
          autoComplete="one-time-code"
          required
          autoFocus
        />
        <Refused error={form.error} />
        <button type="submit" className="button primary" disabled={form.isBusy}>
          {words.signIn}
        </button>
      </form>
    )
  }
  return (
    <form className="form" onSubmit={form.onSubmit}>
      <Field
        label={common.email}
        name="email"
        type="email"
        autoComplete="username"
        required
        defaultValue={email}
        readOnly={email !== undefined}
      />
      <Field
        label={common.password}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        hint={email === undefined && <Link href="/forgot">{words.forgot}</Link>}
      />
      <Check label={words.keep} name="keep" defaultChecked />
      <Refused error={form.error} />
      <button type="submit" className="button primary" disabled={form.isBusy}>
        {words.signIn}
      </button>
    </form>
  )
}
