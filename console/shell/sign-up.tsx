/** A new account: the form, and then the advice to open the link in the mail. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { request } from '../api.ts'
import type { Signup } from '../api-types.ts'
import { Field, SelectField } from '../parts/forms/field.tsx'
import { useForm } from '../parts/forms/use-form.ts'
import { Notice, Refused } from '../parts/notice.tsx'
import { signIn } from '../session.ts'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { Outside } from './outside.tsx'
import { signUpWords } from './sign-up-words.ts'
import { shellWords } from './words.ts'

type Settings = {
  accountDomainSuffix: string
  crmProducts: string[]
  /** Whether mail is kept in the development mailbox, which this browser may open. */
  mailbox: boolean
}

/** The value of `crm` for any product that is not listed. */
const otherProduct = 'Outros'

const sizes: Signup['user_quantity'][] = ['1-5', '6-10', '11-20', '21-50', '50+']

export default function SignUp() {
  const words = useWords(shellWords)
  const own = useWords(signUpWords)
  const common = useWords(commonWords)
  const [created, setCreated] = useState<Created>()
  const [company, setCompany] = useState('')
  const [typedDomain, setTypedDomain] = useState<string>()
  const domain = typedDomain ?? slugOf(company)
  const settings = useQuery({
    queryKey: ['settings'],
    queryFn: async () => (await (await fetch('/console/settings.json')).json()) as Settings,
  })
  const suffix = settings.data?.accountDomainSuffix ?? ''
  const form = useForm(async (values) => {
    const body = {
      organization_name: values.organization_name ?? '',
      domain: `${values.domain?.trim().toLowerCase()}${suffix}`,
      email: values.email ?? '',
      password: values.password ?? '',
      phone: values.phone ?? '',
      crm: values.crm ?? otherProduct,
      user_quantity: sizes.find((size) => size === values.user_quantity) ?? '1-5',
    }
    await request('POST', '/accounts/signup', { body })
    setCreated({ email: body.email, password: body.password })
  })
  if (created) return <CheckMail created={created} hasMailbox={settings.data?.mailbox ?? false} />
  const products = settings.data?.crmProducts ?? [otherProduct]
  return (
    <Outside title={words.signUp} about={own.signUpAbout} wide>
      <form className="form" onSubmit={form.onSubmit}>
        <Field
          label={own.company}
          name="organization_name"
          autoComplete="organization"
          required
          maxLength={120}
          problem={form.problem('organization_name')}
          onChange={(event) => setCompany(event.target.value)}
        />
        <Field
          label={own.domain}
          name="domain"
          required
          value={domain}
          onChange={(event) => setTypedDomain(event.target.value)}
          pattern="[A-Za-z0-9][A-Za-z0-9\-]*"
          autoCapitalize="none"
          spellCheck={false}
          hint={domain === '' ? own.domainHint : `${domain.toLowerCase()}${suffix}`}
          problem={form.problem('domain')}
        />
        <div className="pair">
          <Field
            label={common.email}
            name="email"
            type="email"
            autoComplete="username"
            required
            problem={form.problem('email')}
          />
          <Field
            label={common.phone}
            name="phone"
            type="tel"
            autoComplete="tel"
            required
            placeholder="(48) 3333-4444"
            problem={form.problem('phone')}
          />
        </div>
        <Field
          label={common.password}
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={8}
          maxLength={200}
          required
          hint={own.newPassword}
          problem={form.problem('password')}
        />
        <div className="pair">
          <SelectField
            key={products.length}
            label={own.crm}
            name="crm"
            defaultValue={otherProduct}
            choices={products.map((value) => ({
              value,
              name: value === otherProduct ? own.otherCrm : value,
            }))}
          />
          <SelectField
            label={own.team}
            name="user_quantity"
            choices={sizes.map((value) => ({ value, name: own.people(value.replace('-', '–')) }))}
          />
        </div>
        <Refused error={form.error} />
        <button type="submit" className="button primary" disabled={form.isBusy || suffix === ''}>
          {words.signUp}
        </button>
      </form>
      <p className="small">
        {own.haveAccount} <Link href="/">{words.signIn}</Link>
      </p>
    </Outside>
  )
}

type Created = { email: string; password: string }

/** D371: the password is still known here: a person who opened the link goes on without typing it again. */
function CheckMail({ created: { email, password }, hasMailbox }: { created: Created; hasMailbox: boolean }) {
  const own = useWords(signUpWords)
  const [isResent, setIsResent] = useState(false)
  const resend = useForm(async () => {
    await request('POST', '/users/resend-confirmation', { body: { email } })
    setIsResent(true)
  })
  const enter = useForm(() => signIn({ email, password, keep: true }))
  return (
    <Outside title={own.checkMail}>
      <p>{own.checkMailAbout(email)}</p>
      {hasMailbox && (
        <Notice>
          {own.mailbox}{' '}
          <a href="/mailbox" target="_blank" rel="noreferrer">
            {own.openMailbox}
          </a>
        </Notice>
      )}
      {isResent && <Notice tone="good">{own.resent}</Notice>}
      <Refused error={enter.error ?? resend.error} />
      <form className="form" onSubmit={enter.onSubmit}>
        <button type="submit" className="button primary" disabled={enter.isBusy}>
          {own.confirmed}
        </button>
      </form>
      <form className="row between" onSubmit={resend.onSubmit}>
        <button type="submit" className="button" disabled={resend.isBusy}>
          {own.resend}
        </button>
        <Link href="/">{own.backToSignIn}</Link>
      </form>
    </Outside>
  )
}

/** `Padaria São João` becomes `padaria-sao-joao`. */
function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
}
