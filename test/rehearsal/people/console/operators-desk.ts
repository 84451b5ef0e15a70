/** An operator sees strange calls, suspends the account, and refunds a customer who paid twice. */
import { accountWords } from '../../../../console/operator/account/words.ts'
import { operatorWords } from '../../../../console/operator/words.ts'
import { creditWords } from '../../../../console/pages/credit/words.ts'
import { startBaresip } from '../../../sip/peers/baresip.ts'
import { eventually } from '../../runner/polling.ts'
import { need } from '../../runner/programs.ts'
import { request } from '../../stage/api.ts'
import { customerOfConsole } from '../../stage/carrier.ts'
import { nextField, read } from '../../witnesses/tab.ts'
import type { Scene } from './console.ts'
import { openAccount, paidAmount } from './shop.ts'

const victim = 42
const extension = '1001'
const sipPassword = 'senha-do-ramal'
const fraud = 'Chamadas de golpe; denúncia 4711'
const paidTwice = 'Pago duas vezes'

export async function watchFraud(scene: Scene) {
  const { person, day, shop, tab } = scene
  const { service } = day
  const words = { ...operatorWords[shop.language], account: accountWords[shop.language] }
  const fraudster = await person.step('has a fraudster among the accounts, who is in a call', () =>
    startFraud(scene),
  )
  await person.step('opens the printed link', async () => {
    await tab.open(service.operator())
    await read(tab, words.overview, 'h1')
  })
  await person.step('sees the call among the live ones, and opens its account', async () => {
    await tab.press(words.liveCalls, 'nav')
    await tab.press(fraudster.domain, 'main')
    await read(tab, words.account.data)
  })
  await person.check(
    'suspends the account with its tokens: the call ends, and the token is refused',
    async () => {
      await tab.press(words.account.suspend)
      await tab.fill(words.account.reason, fraud)
      await tab.keys(`${nextField} `)
      await tab.see('dialog :checked')
      await tab.press(words.account.suspend, 'dialog')
      await tab.gone('dialog')
      await read(tab, fraud, 'main .notice')
      await fraudster.victim.ended(5000)
      const answer = await fetch(`${service.api}/users/me`, { headers: { Authorization: fraudster.token } })
      if (answer.ok) throw new Error('the token of the fraudster is accepted')
    },
  )
  await person.step('finds the customer who paid twice by the domain', async () => {
    await tab.press(words.accounts, 'nav')
    await tab.fill(words.searchAccounts, shop.domain)
    await tab.press(shop.domain, 'main')
    await read(tab, words.account.charges)
  })
  await person.check(
    'refunds one of the payments, which leaves the balance and is in the audit log',
    async () => {
      const before = await shop.balance()
      const [, charge] = shop.charges
      await tab.press(words.account.refundTitle(String(charge)))
      await tab.fill(words.account.reason, paidTwice)
      await tab.press(words.account.refund, 'dialog')
      await tab.gone('dialog')
      await read(tab, words.account.chargeStatuses.REFUNDED ?? '', 'main')
      const isTaken = async () => Math.round(before - (await shop.balance())) === paidAmount || undefined
      await eventually(isTaken, { every: 500, what: 'the balance without the refund' })
      await tab.open(`${service.url}/operator/accounts/${shop.domain}`)
      await read(tab, creditWords[shop.language].kinds.refund, 'main')
      await read(tab, paidTwice, 'main')
    },
  )
}

/** An account with a phone that is in a call. */
async function startFraud({ person, day, shop }: Scene) {
  need('baresip')
  const { service, carrier } = day
  const { host, udp } = service.sip
  const domain = `golpe-${shop.at}.ramal.localhost`
  const email = `golpe@loja-${shop.at}.example`
  const token = await openAccount(day, domain, email)
  await service.ramal('credit', 'add', '--domain', domain, '--amount', '20.00', '--reason', 'ensaio')
  const names = { first_name: 'Central', last_name: 'do Banco', email_address: email }
  const phone = { ramal: extension, senha: sipPassword, ...names }
  await request(token, 'POST', `${service.api}/extensions`, phone)
  const baresip = await startBaresip({
    address: host,
    server: `${host}:${udp}`,
    domain,
    extension,
    password: sipPassword,
    answer: 'auto',
  })
  person.atEnd(baresip.stop)
  await baresip.registered()
  const called = customerOfConsole(shop.at, victim)
  await request(token, 'POST', `${service.api}/calls`, { extension, called })
  return { domain, token, victim: await carrier.answeredBy(called) }
}
