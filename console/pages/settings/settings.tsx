/** Name and contact of the account, its preferences, and its limits with what is used of them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { Account, AccountLimits } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { toast } from '../../parts/toasts.tsx'
import { refreshSession } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { Preferences } from './preferences.tsx'
import { settingsWords } from './words.ts'

const accountKey = ['account']

export default function Settings() {
  const words = useWords(settingsWords)
  const account = useQuery({ queryKey: accountKey, queryFn: () => request('GET', '/accounts') })
  const limits = useQuery({ queryKey: ['limits'], queryFn: () => request('GET', '/accounts/limits') })
  return (
    <Page title={words.title} about={words.about}>
      <div className="stack">
        <section className="card">
          <h2>{words.account}</h2>
          <Loaded query={account}>{(found) => <AccountForm account={found} />}</Loaded>
        </section>
        <section className="card">
          <h2>{words.preferences}</h2>
          <Preferences />
        </section>
        <section className="card stack">
          <h2>{words.limits}</h2>
          <Loaded query={limits}>{(found) => <Limits limits={found} />}</Loaded>
        </section>
      </div>
    </Page>
  )
}

function AccountForm({ account }: { account: Account }) {
  const words = useWords(settingsWords)
  const common = useWords(commonWords)
  const cache = useQueryClient()
  const form = useForm(async ({ name = '', email = '', phone = '' }) => {
    cache.setQueryData(accountKey, await request('PATCH', '/accounts', { body: { name, email, phone } }))
    await refreshSession()
    toast(common.saved)
  })
  return (
    <Form form={form} action={common.save}>
      <dl className="facts">
        <dt>{words.domain}</dt>
        <dd>{account.domain}</dd>
      </dl>
      <div className="pair">
        <Field label={words.company} name="name" required defaultValue={account.name} />
        <Field label={common.email} name="email" type="email" required defaultValue={account.email} />
        <Field label={common.phone} name="phone" type="tel" required defaultValue={account.phone} />
      </div>
    </Form>
  )
}

function Limits({ limits }: { limits: AccountLimits }) {
  const words = useWords(settingsWords)
  const format = useFormat()
  const { callsPerDay, spendingPerDay, callsAtOnce, international, proven } = limits
  return (
    <>
      {!proven && <Notice>{words.notProven}</Notice>}
      <dl className="facts">
        <dt>{words.callsPerDay}</dt>
        <dd>{words.used(format.count(callsPerDay.used), format.count(callsPerDay.limit))}</dd>
        <dt>{words.spendingPerDay}</dt>
        <dd>{words.used(format.money(spendingPerDay.used), format.money(spendingPerDay.limit))}</dd>
        <dt>{words.atOnce}</dt>
        <dd>
          {format.count(callsAtOnce.account)}, {words.perExtension(format.count(callsAtOnce.extension))}
        </dd>
        <dt>{words.international}</dt>
        <dd>{international.enabled ? words.allowed : words.barred}</dd>
      </dl>
      <p className="faint small">{words.limitsAbout}</p>
    </>
  )
}
