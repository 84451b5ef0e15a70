/** A shop that uses the service, with credit that was paid twice. */
import { shellWords } from '../../../../console/shell/words.ts'
import { commonWords } from '../../../../console/words/common.ts'
import { eventually } from '../../runner/polling.ts'
import { request } from '../../stage/api.ts'
import type { Day } from '../../stage/day.ts'
import type { browsers } from '../../witnesses/browsers.ts'
import type { Tab } from '../../witnesses/tab.ts'

export type Browser = (typeof browsers)[number]

/** Each browser has a shop. */
export type Shop = Awaited<ReturnType<typeof openShop>>

export const password = 'uma senha comprida'
const taxId = '529.982.247-25'
export const paidAmount = 20

export async function openShop({ service }: Day, { name: browser, language }: Browser, at: number) {
  const { api } = service
  const domain = `loja-${at}.ramal.localhost`
  const email = `gerente@loja-${at}.example`
  const token = await openAccount({ service }, domain, email)
  await request(token, 'PATCH', `${api}/accounts/settings`, { language })
  await request(token, 'POST', `${api}/accounts/financial`, { cpfCnpj: taxId })
  const balance = async () =>
    (await request<{ balance: number }>(token, 'GET', `${api}/credits/balance`)).balance
  const charges: number[] = []
  for (const paid of [paidAmount, 2 * paidAmount]) {
    charges.push(await pay(api, token))
    const isThere = async () => (await balance()) >= paid || undefined
    await eventually(isThere, { every: 500, what: 'the paid credit' })
  }
  const manager = { email, password, language }
  return { at, browser, language, domain, token, charges, balance, manager }
}

/** Made by the operator at the shell; its token. */
export async function openAccount(
  { service }: Pick<Day, 'service'>,
  domain: string,
  email: string,
): Promise<string> {
  const options = ['--domain', domain, '--email', email, '--password', password]
  const text = await service.ramal('account', 'create', ...options)
  const token = /Token\s+(\w{64})/.exec(text)?.[1]
  if (token === undefined) throw new Error(text)
  return token
}

export type Account = { email: string; password: string; language: Shop['language'] }

/** At a page of the console, which is shown then. */
export async function signIn(tab: Tab, url: string, { email, password: secret, language }: Account) {
  const words = { ...commonWords[language], ...shellWords[language] }
  await tab.open(url)
  await tab.fill(words.email, email)
  await tab.fill(words.password, secret)
  await tab.press(words.signIn)
  await tab.see('h1')
}

/** A charge by PIX, paid at the sandbox; its id. */
async function pay(api: string, token: string): Promise<number> {
  const dueDate = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const input = { paymentMethod: 'PIX', dueDate, amount: paidAmount, description: 'Crédito' }
  const charge = await request<{ id: number; paymentLink: string }>(token, 'POST', `${api}/charges`, input)
  const body = new URLSearchParams({ do: 'pay', method: 'PIX' })
  const { status } = await fetch(charge.paymentLink, { method: 'POST', body, redirect: 'manual' })
  if (status !== 303) throw new Error(`the payment page answered ${status}`)
  return charge.id
}
