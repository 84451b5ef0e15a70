/** The manager opens the office in the browser: account, tax id, PIX, second factor, colleagues; and looks at the calls. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { creditWords } from '../../../console/pages/credit/words.ts'
import { extensionWords } from '../../../console/pages/extensions/words.ts'
import { fiscalWords } from '../../../console/pages/fiscal/words.ts'
import { profileWords } from '../../../console/pages/profile/words.ts'
import { tokenWords } from '../../../console/pages/tokens/words.ts'
import { userWords } from '../../../console/pages/users/words.ts'
import { signUpWords } from '../../../console/shell/sign-up-words.ts'
import { shellWords } from '../../../console/shell/words.ts'
import { commonWords } from '../../../console/words/common.ts'
import { paymentWords } from '../../../src/http/pages/payment-words.ts'
import { eventually } from '../runner/polling.ts'
import { need } from '../runner/programs.ts'
import type { Person } from '../runner/story.ts'
import { registerWebhook } from '../stage/api.ts'
import type { Day } from '../stage/day.ts'
import { openContext, openTab, startChromium } from '../witnesses/chromium.ts'
import { mailedLink } from '../witnesses/mailbox.ts'
import { startWebhookReceiver } from '../witnesses/webhook-receiver.ts'
import { reviewCalls } from './manager-review.ts'
import { type Colleague, colleagues } from './seller.ts'

const words = { ...commonWords.pt, ...shellWords.pt, ...signUpWords.pt }
const email = 'marta@aurora.example'
const password = 'cavalo bateria grampo'
const company = 'Padaria São Jürgen'

export async function manage(person: Person, day: Day, sellersDone: Promise<unknown>) {
  const { step } = person
  const { service } = day
  person.atEnd(day.signedUp.break)
  person.atEnd(day.office.break)
  const tab = await step('starts Chromium', async () => {
    const browser = await startChromium(day.evidence, 480)
    person.atEnd(() => browser.close())
    return await openTab(await openContext(browser, service.url))
  })
  const { page } = tab
  person.watch((name) => tab.screenshot(join(day.evidence, `${name}.png`)))
  const open = async (path: string, title: string) => {
    await page.goto(`/console${path}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
  }

  await step('signs up', async () => {
    await page.goto('/')
    await tab.press(words.signUp)
    await tab.fill(words.company, company)
    await tab.fill(words.email, email)
    await tab.fill(words.phone, '(48) 3333-4444')
    await page.getByLabel(words.password).fill(password)
    await tab.press(words.signUp)
    await page.getByRole('link', { name: words.openMailbox }).waitFor()
  })
  await step('confirms the account by the link in the mail', async () => {
    const mail = await page.context().newPage()
    await mail.goto(await mailedLink(service.mailbox(), email))
    await mail.getByRole('button').click()
    await mail.getByRole('link', { name: words.signIn }).waitFor()
    await mail.close()
    await tab.press(words.confirmed)
    await page.getByRole('navigation').first().waitFor()
    const { account } = await tab.evaluate<{ account: { domain: string } }>(read('/console/session'))
    day.signedUp.keep(account.domain)
  })

  const profile = profileWords.pt
  const secondFactor = await step('turns on the second factor with oathtool', async () => {
    need('oathtool')
    await open('/profile', profile.title)
    await tab.press(profile.turnOn)
    await tab.fill(words.currentPassword, password)
    await tab.press(profile.confirm)
    const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
    const code = codeOf(secret)
    await page.getByRole('dialog').getByLabel(words.appCode).fill(code)
    await tab.press(profile.confirm)
    await page.getByRole('heading', { name: profile.recovery }).waitFor()
    await tab.press(words.close)
    return { secret, code }
  })
  await step('activates the account for payments with a tax id', async () => {
    const fiscal = fiscalWords.pt
    await open('/fiscal', fiscal.title)
    await page.getByLabel(fiscal.taxId).fill('11.222.333/0001-81')
    await tab.press(fiscal.activate)
    await page.getByText(fiscal.active, { exact: true }).waitFor()
  })
  await step('pays 50 reais by PIX on the page of the sandbox', async () => {
    const credit = creditWords.pt
    await open('/credit', credit.title)
    await page.getByLabel(credit.amount).fill('50,00')
    await tab.press(credit.create)
    await page.getByRole('img', { name: credit.qr }).waitFor()
    const opening = page.context().waitForEvent('page')
    await page.getByRole('link', { name: credit.pay }).click()
    const payment = await opening
    await payment.getByRole('button', { name: paymentWords.pt.pay.PIX }).click()
    await payment.getByText(paymentWords.pt.states.RECEIVED.name).first().waitFor()
    await payment.close()
    const balance = () => tab.evaluate<{ balance: number }>(read('/credits/balance'))
    await eventually(async () => ((await balance()).balance >= 50 ? true : undefined), { every: 1000 })
  })
  for (const colleague of colleagues) {
    await step(`invites ${colleague.name} and gives them extension ${colleague.extension}`, async () => {
      await open('/users', userWords.pt.title)
      await tab.press(userWords.pt.invite)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(words.name).fill(`${colleague.name} Lima`)
      await dialog.getByLabel(words.email).fill(colleague.email)
      await dialog.getByLabel(words.phone).fill('48999998888')
      await tab.press(userWords.pt.send)
      await page.getByRole('row').getByText(`${colleague.name} Lima`).waitFor()
      await day.numberAssigned.value
      await addExtension(colleague)
    })
  }

  async function addExtension(colleague: Colleague) {
    const extension = extensionWords.pt
    await open('/extensions', extension.title)
    await tab.press(extension.create)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(extension.number, { exact: true }).fill(colleague.extension)
    await dialog.getByLabel(extension.firstName, { exact: true }).fill(colleague.name)
    await dialog.getByLabel(extension.lastName).fill('Lima')
    await dialog.getByLabel(extension.email).fill(colleague.email)
    await dialog.getByLabel(extension.callerId).fill(colleague.number)
    await tab.press(words.save)
    await page.getByRole('row').getByText(`${colleague.name} Lima`).first().waitFor()
  }

  let usedCode = secondFactor.code
  /** Each code works once. */
  async function nextCode(): Promise<string> {
    const isNew = (code: string) => (code === usedCode ? undefined : code)
    const waiting = { within: 40_000, every: 500, what: 'the next code' }
    usedCode = await eventually(() => isNew(codeOf(secondFactor.secret)), waiting)
    return usedCode
  }

  async function makeToken(name: string): Promise<string> {
    await open('/tokens', tokenWords.pt.title)
    await tab.press(tokenWords.pt.create)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(words.name).fill(name)
    await dialog.getByLabel(words.currentPassword).fill(password)
    await dialog.getByLabel(words.appCode).fill(await nextCode())
    await tab.press(tokenWords.pt.make)
    const token = (await page.getByRole('dialog').locator('pre').textContent()) ?? ''
    await tab.press(words.close)
    return token.trim()
  }

  const token = await step('makes a token for the CRM, whose webhook PHP receives', async () => {
    const made = await makeToken('CRM')
    const receiver = await startWebhookReceiver((url) => registerWebhook(service.api, made, url))
    day.books.push({ who: 'manager', token: made, receiver })
    return made
  })
  day.office.keep({ token })

  await step('signs out, and in again with password and code', async () => {
    const code = await nextCode()
    await tab.press(words.signOut)
    await page.getByLabel(words.email).fill(email)
    await page.getByLabel(words.password).fill(password)
    await tab.press(words.signIn)
    await page.getByLabel(words.code).fill(code)
    await tab.press(words.signIn)
    await page.getByRole('navigation').first().waitFor()
  })
  await step('revokes a token, which is refused from then on', async () => {
    const revoked = await makeToken('planilha')
    const statusOf = async () =>
      (
        await fetch(`${service.api}/users/accessTokens`, {
          method: 'HEAD',
          headers: { Authorization: revoked },
        })
      ).status
    if ((await statusOf()) !== 200) throw new Error('the new token is not accepted')
    const row = page.getByRole('row').filter({ hasText: 'planilha' })
    await row.getByRole('button', { name: tokenWords.pt.revoke }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: tokenWords.pt.revoke }).click()
    // Behind an open dialog the row cannot be found by its role, whether or not it is there.
    await dialog.waitFor({ state: 'detached' })
    await row.waitFor({ state: 'detached' })
    if ((await statusOf()) !== 404) throw new Error(`the revoked token is answered with ${await statusOf()}`)
  })
  await sellersDone
  await reviewCalls(person, day, tab, token)
}

/** As the app on a mobile shows it now. */
const codeOf = (secret: string) =>
  execFileSync('oathtool', ['--totp', '--base32', secret.replaceAll(' ', '')], { encoding: 'utf8' }).trim()

const read = (path: string) => `fetch('/api/v1${path}').then((answer) => answer.json())`
