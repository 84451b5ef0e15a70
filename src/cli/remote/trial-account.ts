/** An account to try the service with: signed up, confirmed in the development mailbox, with a token that stays. */
import { setTimeout as pause } from 'node:timers/promises'
import { randomBase62 } from '../../kit/ids.ts'
import { UsageError } from '../usage.ts'
import { howToGiveOperatorToken, type OperatorToken } from './own-service.ts'
import { openRemote } from './remote-service.ts'

const mailWithinMs = 20_000
const pollMs = 300

type Wanted = { url: string; operator: OperatorToken | undefined; domain: string | undefined }

/** The token of its ADMIN. */
export async function openTrialAccount({ url, operator, domain: given }: Wanted): Promise<string> {
  if (operator === undefined)
    throw new UsageError(
      `Set RAMAL_TOKEN to use your account. A new one needs the operator token of ${url}: ${howToGiveOperatorToken}`,
    )
  // Before the sign-up: an account that cannot be confirmed is of no use.
  await readMailbox(url, operator)
  const label = `sandbox-${randomBase62(6).toLowerCase()}`
  const domain = given ?? `${label}.ramal.localhost`
  const email = `${label}@sandbox.example`
  const password = randomBase62(24)
  const ramal = openRemote({ url })
  await ramal.request('POST', '/accounts/signup', {
    body: {
      organization_name: domain.split('.', 1)[0] ?? label,
      domain,
      email,
      password,
      phone: '+55 48 3333-4444',
      crm: 'Outros',
      user_quantity: '1-5',
    },
  })
  await confirm(url, operator, email)
  await ramal.login({ email, password })
  const body = { ttl: -1, name: 'ramal sandbox', currentPassword: password }
  const { id } = await ramal.request('POST', '/users/accessTokens', { body })
  await ramal.logout()
  return id
}

async function confirm(url: string, operator: OperatorToken, email: string) {
  for (const end = performance.now() + mailWithinMs; performance.now() < end; await pause(pollMs)) {
    const page = await readMailbox(url, operator)
    const mail = page.split('<article>').find((article) => article.includes(email))
    const [, link] = /href="(http[^"]+confirm[?]token=[^"]+)"/.exec(mail ?? '') ?? []
    if (link === undefined) continue
    // At the address by which this machine reaches the service, whatever PUBLIC_URL says.
    const { pathname, search } = new URL(link.replaceAll('&amp;', '&'))
    const response = await fetch(`${url}${pathname}${search}`, { method: 'POST' })
    if (!response.ok) throw new Error(`The confirmation of ${email} was answered ${response.status}.`)
    return
  }
  throw new Error(`The mail that confirms ${email} did not come within ${mailWithinMs / 1000} s.`)
}

async function readMailbox(url: string, { token, source }: OperatorToken): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, Accept: 'text/html' }
  const response = await fetch(`${url}/mailbox`, { headers, redirect: 'manual' }).catch((cause: unknown) => {
    throw new Error(`No service answers at ${url}: name it with --url or RAMAL_URL.`, { cause })
  })
  if (response.status === 401)
    throw new Error(
      `The service at ${url} refuses the operator token (${source}). Use its own: ${howToGiveOperatorToken}`,
    )
  if (response.status !== 200)
    throw new Error(`${url} has no development mailbox: sign up in the console, and set RAMAL_TOKEN.`)
  return await response.text()
}
