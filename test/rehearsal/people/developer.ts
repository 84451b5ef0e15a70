/** The developer connects a CRM: an account by the API alone, webhooks in PHP, desk phones, libraries of all kinds. */
import axios from 'axios'
import { startBaresip } from '../../sip/peers/baresip.ts'
import { startLinphone } from '../../sip/peers/linphone.ts'
import { secondsOfTone } from '../../sip/peers/tones.ts'
import { createLoopBackClient } from '../libraries/loopback.ts'
import { eventually } from '../runner/polling.ts'
import { need } from '../runner/programs.ts'
import type { Person } from '../runner/story.ts'
import { registerWebhook, request } from '../stage/api.ts'
import type { Day } from '../stage/day.ts'
import { mailedLink } from '../witnesses/mailbox.ts'
import { startWebhookReceiver } from '../witnesses/webhook-receiver.ts'
import { hangUpWithEachLibrary } from './developer-hang-ups.ts'

const email = 'dev@integra.example'
const password = 'correct horse battery'
const domain = 'integra.ramal.localhost'
const secret = 'senha-do-telefone'
const phoneHertz = 700
const linphoneHertz = 900

export async function develop(person: Person, day: Day) {
  const { step, check } = person
  const { api, sip } = day.service

  await step('signs up by the API and confirms by the mail', async () => {
    await axios.post(`${api}/accounts/signup`, {
      organization_name: 'Integra',
      domain,
      email,
      password,
      phone: '+55 48 3333-4445',
      crm: 'Outros',
      user_quantity: '1-5',
    })
    await axios.post(await mailedLink(day.service.mailbox(), email))
  })
  const loopback = createLoopBackClient(api)
  await check('logs in with a LoopBack client, which includes the user, filters, and logs out', async () => {
    const { user } = await loopback.login({ email, password })
    if (user?.email !== email) throw new Error(`the login included the user ${JSON.stringify(user)}`)
    const where = { email: { like: 'dev@' } }
    const users = await loopback.find<unknown[]>('users', { where, limit: 10 })
    const calls = await loopback.find<{ data: unknown[] }>('calls', { where: { from: '2001' } }, { page: 1 })
    if (users.length !== 1 || calls.data.length !== 0) throw new Error('the filters found something else')
    await loopback.logout()
    if (await loopback.isLoggedIn()) throw new Error('the token works after the logout')
  })
  const token = await step('logs in with axios, and activates the account with a tax id', async () => {
    const { data } = await axios.post<{ id: string }>(`${api}/users/login`, { email, password })
    await request(data.id, 'POST', `${api}/accounts/financial`, { cpfCnpj: '529.982.247-25' })
    return data.id
  })
  await check('gets the limits and a request id also with a broken escape in the path', async () => {
    const answer = await fetch(`${api}/calls/%zz`, { headers: { Authorization: token } })
    const missing = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'x-request-id'].filter(
      (name) => !answer.headers.has(name),
    )
    if (answer.status !== 400 || missing.length > 0) {
      throw new Error(`${answer.status}, without ${missing.join(', ')}`)
    }
  })
  await check('cancels a charge with axios.patch(url, undefined, config)', async () => {
    const dueDate = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    const input = { paymentMethod: 'PIX', dueDate, amount: 20, description: 'Teste' }
    const { id } = await request<{ id: number }>(token, 'POST', `${api}/charges`, input)
    const config = { headers: { Authorization: token } }
    await axios.patch(`${api}/charges/${id}/cancel`, undefined, config)
  })
  await step('sets up a webhook, whose test event the PHP receiver of the docs accepts', async () => {
    const receiver = await startWebhookReceiver((target) => registerWebhook(api, token, target))
    day.books.push({ who: 'developer', token, receiver })
    const [integration] = await request<{ id: number }[]>(token, 'GET', `${api}/integrations`)
    await request(token, 'POST', `${api}/integrations/${integration?.id}/test`)
    await eventually(() => (/ test [0-9a-f-]{36}/.test(receiver.said()) ? true : undefined), {
      what: 'the test event',
    })
  })
  const phones = await step('creates extensions, at which baresip and linphone register', async () => {
    need('baresip', 'linphonec')
    for (const ramal of ['2001', '2002', '2003']) {
      const names = { first_name: 'Mesa', last_name: ramal, email_address: `${ramal}@integra.example` }
      await request(token, 'POST', `${api}/extensions`, { ramal, senha: secret, gravar_audio: 1, ...names })
    }
    const account = { domain, password: secret }
    const desk = {
      ...account,
      address: sip.host,
      server: `${sip.host}:${sip.udp}`,
      answer: 'auto',
      hertz: phoneHertz,
    } as const
    const first = await startBaresip({ ...desk, extension: '2001' })
    person.atEnd(first.stop)
    const second = await startBaresip({ ...desk, extension: '2002', transport: 'tcp' })
    person.atEnd(second.stop)
    const linphone = await startLinphone({
      ...account,
      host: sip.host,
      port: sip.tls,
      extension: '2003',
      hertz: linphoneHertz,
    })
    person.atEnd(linphone.stop)
    await Promise.all([first.registered(), second.registered()])
    const filter = JSON.stringify({ where: { ramal: '2003' } })
    const look = async () => {
      const url = `${api}/extensions?filter=${encodeURIComponent(filter)}`
      const [extension] = await request<{ registered: boolean }[]>(token, 'GET', url)
      return extension?.registered || undefined
    }
    await eventually(look, { every: 1000, what: 'linphone being registered' })
    return { first, second, linphone }
  })
  await check('lets baresip call linphone over TLS, and each hears the other', async () => {
    const { first, linphone } = phones
    await first.dial('2003')
    await first.until('CALL_RINGING')
    linphone.accept()
    await first.established()
    const heard = async () => {
      const seconds = [
        secondsOfTone(await first.heard(), linphoneHertz),
        secondsOfTone(await linphone.heard(), phoneHertz),
      ]
      if (seconds.some((one) => one < 1)) throw new Error(`heard for ${seconds} s`)
      return true
    }
    await eventually(heard, { every: 500, what: 'sound both ways' })
    const after = first.events.length
    linphone.hangUp()
    await first.closed(after)
  })
  await hangUpWithEachLibrary(person, day, token, phones)
}
