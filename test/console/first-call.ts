/** From opening the address to talking, by clicks and typing alone: for the bench and the pictures of the documentation. */
import type { Page } from 'playwright-core'
import { overviewWords } from '../../console/pages/overview/words.ts'
import { phoneWords } from '../../console/phone/words.ts'
import { signUpWords } from '../../console/shell/sign-up-words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import type { Language } from '../../console/words/translated.ts'

const password = 'correct horse battery'

/** The domain is the one that the form proposes for the company; `start` is the address that the service printed. */
type Person = { start: string; language: Language; company: string; email: string }

/** Returns how often the person clicked. The browser stays in the call. */
export async function makeFirstCall(page: Page, person: Person): Promise<number> {
  const { start, language, company, email } = person
  const words = { ...commonWords[language], ...shellWords[language], ...signUpWords[language] }
  let clicks = 0
  const count = () => {
    clicks += 1
  }
  const context = page.context()
  await context.exposeFunction('countClick', count)
  await context.addInitScript(
    `addEventListener('click', ({ isTrusted, detail }) => { if (isTrusted && detail > 0) countClick() }, true)`,
  )
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()

  await page.goto(start)
  await page.getByRole('link', { name: words.signUp }).click()
  await page.getByLabel(words.company).fill(company)
  await page.getByLabel(words.email).fill(email)
  await page.getByLabel(words.phone).fill('(48) 3333-4444')
  await page.getByLabel(words.password).fill(password)
  await press(words.signUp)
  const opening = context.waitForEvent('page')
  await page.getByRole('link', { name: words.openMailbox }).click()
  await confirm(await opening)
  await press(words.confirmed)
  await press(overviewWords[language].firstCall)
  await page.getByText(phoneWords[language].callStates.talking).first().waitFor()
  return clicks
}

/** Opens the newest mail, once it is there: the mailbox shows it first. */
async function confirm(mailbox: Page) {
  const link = mailbox.locator('a[href*="token="]').first()
  while ((await link.count()) === 0) await mailbox.reload()
  await link.click()
  await mailbox.getByRole('button').click()
  await mailbox.locator('a[href*="/console"]').waitFor()
  await mailbox.close()
}
