/** How operators enter: by e-mail, password and code (D648), or with the operator token (D320). */
import { useState } from 'react'
import { SecondFactorRequiredError } from '../../clients/typescript/src/errors.ts'
import { Field } from '../parts/forms/field.tsx'
import { useForm } from '../parts/forms/use-form.ts'
import { Refused } from '../parts/notice.tsx'
import { Outside } from '../shell/outside.tsx'
import { shellWords } from '../shell/words.ts'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { logIn, signIn } from './operator-api.ts'
import { operatorWords } from './words.ts'

export function LogIn() {
  const words = useWords(operatorWords)
  const [hasToken, setHasToken] = useState(false)
  return (
    <Outside title={words.title} about={hasToken ? words.tokenAbout : words.logInAbout}>
      {hasToken ? <TokenForm /> : <NameForm />}
      <button type="button" className="button" onClick={() => setHasToken(!hasToken)}>
        {hasToken ? words.withName : words.withToken}
      </button>
    </Outside>
  )
}

function NameForm() {
  const words = useWords(shellWords)
  const common = useWords(commonWords)
  /** Accepted already: only the code is missing. */
  const [known, setKnown] = useState<{ email: string; password: string }>()
  const form = useForm(async ({ email = '', password = '', code = '' }) => {
    const given = known ?? { email, password }
    try {
      await logIn(known ? { ...known, code: code.trim() } : given)
    } catch (error) {
      if (!(error instanceof SecondFactorRequiredError)) throw error
      setKnown(given)
    }
  })
  return (
    <form className="form" onSubmit={form.onSubmit}>
      {known ? (
        <Field
          key="code"
          label={words.code}
          hint={words.codeAbout}
          name="code"
          autoComplete="one-time-code"
          required
          autoFocus
        />
      ) : (
        <>
          <Field label={common.email} name="email" type="email" autoComplete="username" required autoFocus />
          <Field
            label={common.password}
            name="password"
            type="password"
            autoComplete="current-password"
            required
          />
        </>
      )}
      <Refused error={form.error} />
      <button type="submit" className="button primary" disabled={form.isBusy}>
        {words.signIn}
      </button>
    </form>
  )
}

function TokenForm() {
  const words = useWords(operatorWords)
  const shell = useWords(shellWords)
  const form = useForm(async (values) => {
    await signIn((values.token ?? '').trim())
  })
  return (
    <form className="form" onSubmit={form.onSubmit}>
      <Field label={words.token} name="token" type="password" autoComplete="off" required autoFocus />
      <Refused error={form.refusal} />
      <button type="submit" className="button primary" disabled={form.isBusy}>
        {shell.signIn}
      </button>
    </form>
  )
}
