/** What a new account does first; gone when all is done. */
import { Link } from 'wouter'
import { useExtensions } from '../../own-extension.ts'
import { Icon } from '../../parts/icon.tsx'
import { useIsAdmin } from '../../session.ts'
import { useWords } from '../../words/language.ts'
import { FirstCall } from './first-call.tsx'
import { useFirstCharges, useIntegrations, useLatestCalls } from './overview-data.ts'
import { overviewWords } from './words.ts'

export function FirstSteps() {
  const words = useWords(overviewWords)
  const isAdmin = useIsAdmin()
  const extensions = useExtensions()
  const calls = useLatestCalls()
  const integrations = useIntegrations()
  const charges = useFirstCharges(isAdmin)
  const isKnown = [extensions, calls, integrations, charges].every(({ isSuccess }) => isSuccess)
  if (!isAdmin || !isKnown) return null
  const hasPhone = extensions.data?.some(({ registered }) => registered) ?? false
  const hasCall = (calls.data?.data.length ?? 0) > 0
  const steps = [
    { name: words.stepList.extension, href: '/extensions?new=1', isDone: (extensions.data?.length ?? 0) > 0 },
    { name: words.stepList.phone, href: '/phone', isDone: hasPhone || hasCall },
    { name: words.stepList.call, href: '/phone', isDone: hasCall },
    { name: words.stepList.webhook, href: '/integrations', isDone: (integrations.data?.length ?? 0) > 0 },
    { name: words.stepList.credit, href: '/credit', isDone: (charges.data?.data.length ?? 0) > 0 },
  ]
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <section className="card">
      <h2>{words.steps}</h2>
      <p className="faint">{words.stepsAbout}</p>
      {!hasCall && <FirstCall />}
      <ol className="steps">
        {steps.map(({ name, href, isDone }) => (
          <li key={name} className={isDone ? 'done' : undefined}>
            <Icon name={isDone ? 'check' : 'open'} />
            {isDone ? <s>{name}</s> : <Link href={href}>{name}</Link>}
          </li>
        ))}
      </ol>
    </section>
  )
}
