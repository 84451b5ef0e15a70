/** Requests the mail with a link for a new password; the answer is the same for every address. */
import { useState } from 'react'
import { Link } from 'wouter'
import { request } from '../api.ts'
import { Field } from '../parts/forms/field.tsx'
import { useForm } from '../parts/forms/use-form.ts'
import { Notice, Refused } from '../parts/notice.tsx'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { Outside } from './outside.tsx'
import { signUpWords } from './sign-up-words.ts'
import { shellWords } from './words.ts'

export default function Forgot() {
  const words = useWords(shellWords)
  const own = useWords(signUpWords)
  const common = useWords(commonWords)
  const [isSent, setIsSent] = useState(false)
  const form = useForm(async ({ email = '' }) => {
    await request('POST', '/users/reset', { body: { email } })
    setIsSent(true)
  })
  return (
    <Outside title={words.forgot} about={own.forgotAbout}>
      {isSent ? (
        <Notice tone="good">{own.sent}</Notice>
      ) : (
        <form className="form" onSubmit={form.onSubmit}>
          <Field label={common.email} name="email" type="email" autoComplete="username" required />
          <Refused error={form.error} />
          <button type="submit" className="button primary" disabled={form.isBusy}>
            {own.sendLink}
          </button>
        </form>
      )}
      <p className="small">
        <Link href="/">{own.backToSignIn}</Link>
      </p>
    </Outside>
  )
}
