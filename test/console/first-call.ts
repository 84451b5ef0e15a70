/** From opening the address to talking, by clicks and typing alone: for the bench and the pictures of the documentation. */
import type { Page } from 'playwright-core'
import { extensionWords } from '../../console/pages/extensions/words.ts'
import { overviewWords } from '../../console/pages/overview/words.ts'
import { phoneWords } from '../../console/phone/words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import type { Language } from '../../console/words/translated.ts'
import { typePassword } from './console-browser.ts'

const password = 'correct horse battery'
/** A number of the sandbox carrier that answers at once and plays a tone. */
const playingNumber = '48999990009'

/** The domain is the one that the form proposes for the company. */
type Person = { language: Language; company: string; email: string }

/** Returns how often the person clicked. The browser stays in the call. */
export async function makeFirstCall(page: Page, person: Person): Promise<number> {
  const { language, company, email } = person
  const words = { ...commonWords[language], ...shellWords[language] }
  const extension = extensionWords[language]
  const phone = phoneWords[language]
  let clicks = 0
  const count = () => {
    clicks += 1
  }
  await page.exposeFunction('countClick', count)
  await page.addInitScript(
    `addEventListener('click', ({ isTrusted, detail }) => { if (isTrusted && detail > 0) countClick() }, true)`,
  )
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()

  await page.goto('/')
  await page.getByRole('link', { name: words.signUp }).click()
  await page.getByLabel(words.company).fill(company)
  await page.getByLabel(words.email).fill(email)
  await page.getByLabel(words.phone).fill('(48) 3333-4444')
  await page.getByLabel(words.password).fill(password)
  await press(words.signUp)
  await page.getByRole('heading', { name: words.checkMail }).waitFor()
  await openMail(page)
  await page.getByRole('button').click()
  await page.getByRole('link', { name: words.signIn }).click()
  await typePassword(page, words, password, email)
  await page.getByRole('link', { name: overviewWords[language].stepList.extension }).click()
  await page.getByLabel(extension.lastName).fill('Souza')
  await press(words.save)
  await page.locator('[data-phone=ready]').waitFor()
  await page.locator('.dock-pill').click()
  const dock = page.locator('.dock')
  await dock.getByLabel(phone.number).fill(playingNumber)
  await dock.getByRole('button', { name: phone.call, exact: true }).click()
  await page.getByText(phone.callStates.talking).first().waitFor()
  return clicks
}

/** The newest mail, once it is there: the mailbox shows it first. */
async function openMail(page: Page) {
  const link = page.locator('a[href*="token="]').first()
  await page.goto('/mailbox')
  while ((await link.count()) === 0) await page.reload()
  await link.click()
}
