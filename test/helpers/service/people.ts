/** Accounts and users for tests: signed up, confirmed and logged in. */
import type { Service } from './service.ts'

export const password = 'correct horse battery'

let people = 0

export function newSignup() {
  people += 1
  return {
    organization_name: `Padaria ${people}`,
    domain: `padaria-${people}.ramal.localhost`,
    email: `dona${people}@padaria.example`,
    password,
    phone: '+55 48 3333-4444',
    crm: 'Outros',
    user_quantity: '1-5',
  }
}

export function newUser(role: 'ADMIN' | 'USER' = 'USER') {
  people += 1
  return {
    name: `Pessoa ${people}`,
    email: `pessoa${people}@padaria.example`,
    password,
    phone: '48999998888',
    role,
  }
}

/** The mails to an address, newest first; those that are due are sent before. */
export async function mailsTo({ app, tick }: Pick<Service, 'app' | 'tick'>, email: string) {
  await tick('mail')
  const mails = await app.services.mail.outbox.read(1000)
  return mails.filter(({ recipient }) => recipient === email)
}

/** The newest link that was mailed to an address. */
export async function mailedLink(service: Service, email: string): Promise<string> {
  const mails = await mailsTo(service, email)
  const link = mails
    .map(({ text }) => text.match(/https?:\S+token=\S+/)?.[0])
    .find((found) => found !== undefined)
  if (link === undefined) throw new Error(`no link was mailed to ${email}`)
  return link
}

/** Presses the button on the page of a link. */
export const press = (link: string, headers: Record<string, string> = {}) =>
  fetch(link, { method: 'POST', headers })

async function logIn({ api }: Service, email: string): Promise<string> {
  const { status, body } = await api.post('/users/login', { email, password })
  if (status !== 200) throw new Error(`login answered ${status} ${JSON.stringify(body)}`)
  return body.id
}

/** Signs up an account, confirms it and logs in. */
export async function openAccount(service: Service) {
  const signup = newSignup()
  await service.api.post('/accounts/signup', signup)
  await press(await mailedLink(service, signup.email))
  return { ...signup, token: await logIn(service, signup.email) }
}

/** A user created by an ADMIN, logged in. */
export async function addUser(service: Service, admin: { token: string }, role: 'ADMIN' | 'USER' = 'USER') {
  const input = newUser(role)
  const { body } = await service.api.post('/users', input, { token: admin.token })
  return { ...input, uuid: String(body.uuid), token: await logIn(service, input.email) }
}
