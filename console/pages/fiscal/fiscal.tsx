/** Tax id, contact and address under which charges are made. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { FinancialAccount } from '../../api-types.ts'
import { taxId } from '../../parts/format.ts'
import { Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { toast } from '../../parts/toasts.tsx'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { fiscalWords } from './words.ts'

const fiscalKey = ['fiscal']

export default function Fiscal() {
  const words = useWords(fiscalWords)
  const account = useQuery({ queryKey: fiscalKey, queryFn: () => request('GET', '/accounts/financial') })
  return (
    <Page title={words.title} about={words.about}>
      <Loaded query={account}>
        {(found) => (
          <div className="stack">
            <Holder account={found} />
            {found.status === 'ACTIVE' && <Contact account={found} />}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Holder({ account }: { account: FinancialAccount }) {
  const words = useWords(fiscalWords)
  const common = useWords(commonWords)
  const cache = useQueryClient()
  const form = useForm(async ({ cpfCnpj = '' }) => {
    cache.setQueryData(fiscalKey, await request('POST', '/accounts/financial', { body: { cpfCnpj } }))
    toast(common.saved)
  })
  const states = { ACTIVE: words.active, PENDING: words.pending, REJECTED: words.rejected }
  const tones = { ACTIVE: 'badge good', PENDING: 'badge', REJECTED: 'badge bad' }
  return (
    <section className="card">
      <div className="row between">
        <h2>{words.who}</h2>
        <span className={tones[account.status]}>{states[account.status]}</span>
      </div>
      {account.status === 'ACTIVE' ? (
        <dl className="facts">
          <dt>{words.taxId}</dt>
          <dd className="number">{taxId(account.cpfCnpj ?? '')}</dd>
          <dt>{words.company}</dt>
          <dd>{account.company ?? account.name ?? '—'}</dd>
        </dl>
      ) : (
        <Form form={form} action={words.activate}>
          <div className="pair">
            <Field
              label={words.taxId}
              name="cpfCnpj"
              required
              maxLength={18}
              autoComplete="off"
              hint={words.taxIdHint}
            />
          </div>
        </Form>
      )}
    </section>
  )
}

function Contact({ account }: { account: FinancialAccount }) {
  const words = useWords(fiscalWords)
  const common = useWords(commonWords)
  const cache = useQueryClient()
  const form = useForm(async (values) => {
    const body = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value === '' ? null : value]),
    )
    cache.setQueryData(fiscalKey, await request('PUT', '/accounts/financial', { body }))
    toast(common.saved)
  })
  const field = (
    name: keyof FinancialAccount,
    label: string,
    more: { hint?: string; type?: string } = {},
  ) => <Field label={label} name={name} defaultValue={account[name] ?? ''} {...more} />
  return (
    <section className="card">
      <h2>{words.contact}</h2>
      <Form form={form} action={common.save}>
        <div className="pair">
          {field('email', common.email, { type: 'email' })}
          {field('additionalEmails', words.moreEmails, { hint: words.moreEmailsHint })}
        </div>
        <div className="pair">
          {field('phone', common.phone, { type: 'tel' })}
          {field('mobilePhone', words.mobile, { type: 'tel' })}
        </div>
        <div className="pair">
          {field('address', words.address)}
          {field('addressNumber', words.number)}
          {field('addressComplement', words.complement)}
        </div>
        <div className="pair">
          {field('addressProvince', words.province)}
          {field('addressCity', words.city)}
          {field('addressState', words.state)}
          {field('addressZipCode', words.zip)}
        </div>
      </Form>
    </section>
  )
}
