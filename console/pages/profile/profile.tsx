/** The person's own data and password. */
import { request } from '../../api.ts'
import { Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { CodeField, PasswordField } from '../../parts/records/proof.tsx'
import { telephone } from '../../parts/telephone.ts'
import { toast } from '../../parts/toasts.tsx'
import { refreshSession, useSignedIn } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { SecondFactorCard } from './second-factor.tsx'
import { profileWords } from './words.ts'

export default function Profile() {
  const words = useWords(profileWords)
  return (
    <Page title={words.title} about={words.about}>
      <div className="stack">
        <Data />
        <Password />
        <SecondFactorCard />
      </div>
    </Page>
  )
}

function Data() {
  const words = useWords(profileWords)
  const common = useWords(commonWords)
  const { user } = useSignedIn()
  const form = useForm(async ({ name = '', email = '', phone = '' }) => {
    await request('PATCH', '/users', { body: { name, phone, ...(email !== user.email && { email }) } })
    await refreshSession()
    toast(common.saved)
  })
  return (
    <section className="card">
      <h2>{words.data}</h2>
      <Form form={form} action={common.save}>
        <div className="pair">
          <Field label={common.name} name="name" required defaultValue={user.name} />
          <Field label={common.email} name="email" type="email" required defaultValue={user.email} />
          <Field label={common.phone} name="phone" type="tel" required defaultValue={telephone(user.phone)} />
        </div>
        {user.pendingEmail && <Notice tone="warn">{words.pending(user.pendingEmail)}</Notice>}
      </Form>
    </section>
  )
}

function Password() {
  const words = useWords(profileWords)
  const form = useForm(async ({ oldPassword = '', newPassword = '', code = '' }, element) => {
    const body = { oldPassword, newPassword, ...(code !== '' && { code }) }
    await request('POST', '/users/change-password', { body })
    toast(words.changed)
    element.reset()
  })
  return (
    <section className="card">
      <h2>{words.changePassword}</h2>
      <Form form={form} action={words.changePassword}>
        <div className="pair">
          <PasswordField name="oldPassword" />
          <Field
            label={words.next}
            name="newPassword"
            type="password"
            autoComplete="new-password"
            minLength={8}
            required
            hint={words.nextHint}
          />
        </div>
        <CodeField />
      </Form>
    </section>
  )
}
