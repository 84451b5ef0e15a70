/** What is wrong now, and where to repair it. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { client, must } from '../../api.ts'
import { useExtensions } from '../../own-extension.ts'
import { Icon } from '../../parts/icon.tsx'
import { useIsAdmin, useSignedIn } from '../../session.ts'
import { useWords } from '../../words/language.ts'
import { overviewWords } from './words.ts'

const lowReais = 5

export function Problems() {
  const words = useWords(overviewWords)
  const isAdmin = useIsAdmin()
  const { balance } = useSignedIn()
  const extensions = useExtensions()
  const integrations = useQuery({
    queryKey: ['integrations'],
    queryFn: () => must(client.GET('/integrations')),
  })
  const found: { href: string; text: string }[] = []
  if (isAdmin && balance && balance.available < lowReais) found.push({ href: '/credit', text: words.low })
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
