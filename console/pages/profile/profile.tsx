/** The person's own data and password. */
import { client, must } from '../../api.ts'
import { Field } from '../../parts/field.tsx'
import { Notice, Refused, toast } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { useForm } from '../../parts/use-form.ts'
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
    await must(client.PATCH('/users', { body: { name, phone, ...(email !== user.email && { email }) } }))
    await refreshSession()
    toast(common.saved)
  })
  return (
    <section className="card">
      <h2>{words.data}</h2>
      <form className="form" onSubmit={form.onSubmit}>
        <div className="pair">
          <Field
            label={common.name}
            name="name"
            required
            defaultValue={user.name}
            problem={form.problem('name')}
          />
          <Field
            label={common.phone}
            name="phone"
            type="tel"
            required
            defaultValue={user.phone}
            problem={form.problem('phone')}
          />
        </div>
        <Field
          label={common.email}
          name="email"
          type="email"
          required
          defaultValue={user.email}
          problem={form.problem('email')}
        />
        {user.pendingEmail && <Notice tone="warn">{words.pending(user.pendingEmail)}</Notice>}
        <Refused error={form.error} />
        <div className="row">
          <button type="submit" className="button primary" disabled={form.isBusy}>
            {common.save}
          </button>
        </div>
      </form>
    </section>
  )
}

function Password() {
  const words = useWords(profileWords)
  const form = useForm(async ({ oldPassword = '', newPassword = '', code = '' }, element) => {
    const body = { oldPassword, newPassword, ...(code !== '' && { code }) }
    await must(client.POST('/users/change-password', { body }))
    toast(words.changed)
    element.reset()
  })
  return (
    <section className="card">
      <h2>{words.changePassword}</h2>
      <form className="form" onSubmit={form.onSubmit}>
        <div className="pair">
          <Field
            label={words.current}
            name="oldPassword"
            type="password"
            autoComplete="current-password"
            required
            problem={form.problem('oldPassword')}
          />
          <Field
            label={words.next}
            name="newPassword"
            type="password"
            autoComplete="new-password"
            minLength={8}
            required
            hint={words.nextHint}
            problem={form.problem('newPassword')}
          />
          <Field
            label={words.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            hint={words.codeHint}
            problem={form.problem('code')}
          />
        </div>
        <Refused error={form.error} />
        <div className="row">
          <button type="submit" className="button primary" disabled={form.isBusy}>
            {words.changePassword}
          </button>
        </div>
      </form>
    </section>
  )
}
