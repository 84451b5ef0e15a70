/** An account of a running service, with a phone of its own process. */
import { once } from 'node:events'
import { launch, type startRamal } from '../helpers/programs/ramal-process.ts'
import { password } from '../helpers/service/people.ts'
import { eventually } from '../rehearsal/runner/polling.ts'
import { mailedLink } from '../rehearsal/witnesses/mailbox.ts'

const sipPassword = 'a secret of hers'

type RunningRamal = Awaited<ReturnType<typeof startRamal>>

/** An account with a recorded extension 1000, whose phone answers, and the token of its ADMIN. */
export async function openOffice(ramal: RunningRamal, name: string) {
  const domain = `${name}.ramal.localhost`
  const email = `ana@${name}.example`
  await ramal.api.post('/accounts/signup', {
    organization_name: name,
    domain,
    email,
    password,
    phone: '+55 48 3333-4444',
    crm: 'Outros',
    user_quantity: '1-5',
  })
  const [, mailbox = ''] = /Mailbox\s+(http:\S+)/.exec(ramal.text()) ?? []
  await fetch(await mailedLink(mailbox, email), { method: 'POST' })
  const { body } = await ramal.api.post('/users/login', { email, password })
  const admin = { token: String(body.id) }
  const extension = {
    ramal: '1000',
    senha: sipPassword,
    first_name: 'Ana',
    last_name: 'Souza',
    email_address: email,
    gravar_audio: 1,
  }
  await ramal.api.post('/extensions', extension, admin)
  const phone = launch(
    [
      'phone',
      '--api',
      ramal.url,
      '--extension',
      `1000@${domain}`,
      '--password',
      sipPassword,
      '--answer',
      'auto',
    ],
    {},
  )
  const isRegistered = () => {
    if (phone.exitCode !== null) throw new Error(phone.text())
    return phone.text().includes('registered as') || undefined
  }
  await eventually(isRegistered, { within: 120_000, what: 'a registered phone' })
  return {
    email,
    admin,
    async stop() {
      const over = once(phone, 'exit')
      phone.kill('SIGKILL')
      await over
    },
  }
}

export type Office = Awaited<ReturnType<typeof openOffice>>
