/** What is wrong now, and where to repair it. */
import { Link } from 'wouter'
import { useExtensions } from '../../own-extension.ts'
import { Icon } from '../../parts/icon.tsx'
import { daysLeft, useSpending } from '../../parts/records/spending.ts'
import { useIsAdmin, useSignedIn } from '../../session.ts'
import { useWords } from '../../words/language.ts'
import { useAccountSettings, useIntegrations } from './overview-data.ts'
import { overviewWords } from './words.ts'

/** D614: at the pace of the last week. */
const fewDays = 3

export function Problems() {
  const words = useWords(overviewWords)
  const isAdmin = useIsAdmin()
  const { balance } = useSignedIn()
  const extensions = useExtensions()
  const integrations = useIntegrations()
  const settings = useAccountSettings(isAdmin)
  const spending = useSpending(isAdmin)
  const found: { href: string; text: string }[] = []
  const left = balance && spending.data ? daysLeft(balance.available, spending.data.week) : undefined
  if (isAdmin && left !== undefined && left < fewDays)
    found.push({ href: '/credit', text: words.fewDays(left) })
  else if (isAdmin && balance && balance.available < (settings.data?.lowBalance ?? 0))
    found.push({ href: '/credit', text: words.low })
  if (
    extensions.data &&
    extensions.data.length > 0 &&
    !extensions.data.some(({ registered }) => registered)
  ) {
    found.push({ href: '/phone', text: words.noPhones })
  }
  for (const integration of integrations.data ?? []) {
    if (integration.lastError !== null) {
      const href = `/integrations/${integration.id}`
      found.push({ href, text: words.webhookFailing(integration.gateway) })
    }
  }
  if (found.length === 0) return null
  return (
    <section className="card">
      <h2>{words.problems}</h2>
      <ul className="problems">
        {found.map(({ href, text }) => (
          <li key={text}>
            <Icon name="warning" />
            <Link href={href}>{text}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
