/** Name and contact of the account, its preferences, and its limits with what is used of them. */
import '../../look/limits.css'
import './settings.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { Account, AccountLimits } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { FieldSkeletons } from '../../parts/skeletons.tsx'
import { Loaded } from '../../parts/states.tsx'
import { telephone } from '../../parts/telephone.ts'
import { toast } from '../../parts/toasts.tsx'
import { refreshSession } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { PreferencesForm, usePreferences } from './preferences.tsx'
import { settingsWords } from './words.ts'

const accountKey = ['account']

export default function Settings() {
  const words = useWords(settingsWords)
  const account = useQuery({ queryKey: accountKey, queryFn: () => request('GET', '/accounts') })
  const limits = useQuery({ queryKey: ['limits'], queryFn: () => request('GET', '/accounts/limits') })
  const preferences = usePreferences()
  // All at once: nothing moves when one comes after the other.
  const isWaiting = [account, limits, preferences].some(({ isPending }) => isPending)
  if (isWaiting)
    return (
      <Page title={words.title} about={words.about}>
        <section className="card">
          <FieldSkeletons count={12} />
        </section>
      </Page>
    )
  return (
    <Page title={words.title} about={words.about}>
      <div className="stack">
        <section className="card">
          <div className="row between">
            <h2>{words.account}</h2>
            <span className="faint small">
              {words.domain} <code>{account.data?.domain}</code>
            </span>
          </div>
          <Loaded query={account}>{(found) => <AccountForm account={found} />}</Loaded>
        </section>
        <section className="card">
          <h2>{words.preferences}</h2>
          <Loaded query={preferences}>{(found) => <PreferencesForm {...found} />}</Loaded>
        </section>
        <section className="card stack">
          <div>
            <h2>{words.limits}</h2>
            <p className="faint small">{words.limitsAbout}</p>
          </div>
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
      <div className="pair">
        <Field label={words.company} name="name" required defaultValue={account.name} />
        <Field label={common.email} name="email" type="email" required defaultValue={account.email} />
        <Field
          label={common.phone}
          name="phone"
          type="tel"
          required
          defaultValue={telephone(account.phone)}
        />
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
      <dl className="limits">
        <Limit name={words.callsPerDay} {...callsPerDay} text={format.count} />
        <Limit name={words.spendingPerDay} {...spendingPerDay} text={format.money} />
        <div>
          <dt>{words.atOnce}</dt>
          <dd>
            <strong>{format.count(callsAtOnce.account)}</strong>
            <span className="faint small">{words.perExtension(format.count(callsAtOnce.extension))}</span>
          </dd>
        </div>
        <div>
          <dt>{words.international}</dt>
          <dd>
            <span className={international.enabled ? 'badge good' : 'badge'}>
              {international.enabled ? words.allowed : words.barred}
            </span>
          </dd>
        </div>
      </dl>
    </>
  )
}

type LimitProps = { name: string; used: number; limit: number; text: (value: number) => string }

function Limit({ name, used, limit, text }: LimitProps) {
  const words = useWords(settingsWords)
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong className="number">{text(used)}</strong>
        <span className="faint small">{words.outOf(text(limit))}</span>
        <meter
          aria-label={name}
          min={0}
          max={limit}
          low={limit * 0.8}
          high={limit * 0.95}
          optimum={0}
          value={used}
        />
      </dd>
    </div>
  )
}
