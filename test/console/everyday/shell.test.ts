/** Failures in the console, and the keyboard focus after them. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { finderWords } from '../../../console/finder/words.ts'
import { contactWords } from '../../../console/pages/contacts/words.ts'
import { extensionWords } from '../../../console/pages/extensions/words.ts'
import { overviewWords } from '../../../console/pages/overview/words.ts'
import { reportWords } from '../../../console/pages/reports/words.ts'
import { userWords } from '../../../console/pages/users/words.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { addUser, password } from '../../helpers/service/people.ts'
import { expectAccessible, typePassword } from '../console-browser.ts'
import { useDesk, signInWords as words } from './setting.ts'

const extension = extensionWords.pt
const focused = (page: Page) => page.evaluate<string>('document.activeElement?.textContent ?? ""')
const isFocused = async (one: Locator) => (await one.and(one.page().locator(':focus')).count()) === 1
const person = { senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza' }

describe.skipIf(programMissing('chromium'))('the console', () => {
  const desk = useDesk()

  test('gives the focus back after a dialog, to the title of a new page, and to the field that is wrong', async () => {
    const { admin, page } = await desk.openAccount()
    await page.getByRole('link', { name: userWords.pt.title }).click()
    await expect.poll(() => focused(page)).toBe(userWords.pt.title)
    const invite = page.getByRole('button', { name: userWords.pt.invite })
    await invite.click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused(page)).toBe(userWords.pt.invite)
    await invite.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(words.name).fill('Ana Souza')
    await dialog.getByLabel(words.email).fill(admin.email)
    await dialog.getByLabel(words.phone).fill('48999998888')
    await dialog.getByRole('button', { name: userWords.pt.send }).click()
    await dialog.locator('[aria-invalid=true]:focus').waitFor()
    await expectAccessible(page, 'a field that is wrong')
  })

  test('D681: keeps the focus in a dialog, and hides what is below it from screen readers', async () => {
    const { page } = await desk.openAccount()
    const below = () => page.evaluate('document.getElementById("console").ariaHidden')
    const isInside = () => page.evaluate('document.activeElement.closest("dialog") !== null')
    await page.goto('/console/users')
    const invite = page.getByRole('button', { name: userWords.pt.invite })
    await invite.click()
    const dialog = page.getByRole('dialog', { name: userWords.pt.inviteTitle })
    const close = dialog.getByRole('button', { name: words.close })
    const last = dialog.getByRole('button', { name: userWords.pt.send })
    await expect.poll(() => isFocused(close)).toBe(true)
    await page.keyboard.press('Shift+Tab')
    expect([await isFocused(last), await below()]).toEqual([true, 'true'])
    await page.keyboard.press('Tab')
    expect(await isFocused(close)).toBe(true)
    await page.evaluate('document.querySelector("nav a").focus()')
    expect(await isInside()).toBe(true)
    await expectAccessible(page, 'a page below a dialog')
    await page.mouse.click(5, 5)
    await page.keyboard.press('Tab')
    expect([await isInside(), await dialog.count()]).toEqual([true, 1])
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: finderWords.pt.title }).waitFor()
    expect(await dialog.count()).toBe(0)
    await page.keyboard.press('Escape')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect([await isFocused(invite), await below()]).toEqual([true, null])
  })

  test('shows an error of an action until it is closed', async () => {
    const { admin, page } = await desk.openAccount()
    const body = { ...person, ramal: '1000', email_address: admin.email }
    expect((await desk.service().api.post('/extensions', body, admin)).status).toBe(200)
    await page.clock.install()
    await page.goto('/console/extensions')
    await page.route('**/api/v1/extensions/*', (route) => route.abort())
    await page.getByRole('button', { name: `${words.remove} 1000` }).click()
    await page.getByRole('dialog').getByRole('button', { name: words.remove, exact: true }).click()
    const toast = page.locator('.toast', { hasText: words.noConnection })
    await toast.waitFor()
    await page.clock.fastForward(60_000)
    expect(await toast.count()).toBe(1)
    await page.getByRole('button', { name: words.cancel }).click()
    await toast.getByRole('button', { name: words.close }).click()
    await toast.waitFor({ state: 'detached' })
  })

  test('D587: sends a form again whose answer was lost, with the same key, and it is stored once', async () => {
    const { admin, page } = await desk.openAccount()
    await page.goto('/console/contacts')
    const keys: (string | undefined)[] = []
    await page.route('**/api/v1/contacts', async (route) => {
      if (route.request().method() !== 'POST') return await route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return await route.continue()
      expect((await route.fetch()).status()).toBe(200)
      await route.abort()
    })
    await page.getByRole('button', { name: contactWords.pt.add, exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(contactWords.pt.name).fill('Bruno Lima')
    await dialog.getByLabel(contactWords.pt.numbers).fill('48 3333-4444')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]])
    const { body } = await desk.service().api.get('/contacts', admin)
    expect(body.meta.totalItemCount).toBe(1)
  })

  test('asks for the password at once when the session ends, and sends the form again', async () => {
    const { admin, page } = await desk.openAccount()
    const other = await addUser(desk.service(), admin, 'ADMIN')
    await page.goto('/console/extensions')
    await page.getByRole('button', { name: extension.create }).first().click()
    await page.getByLabel(extension.firstName, { exact: true }).fill('Bia')
    await page.getByLabel(extension.lastName).fill('Lima')
    await page.getByLabel(extension.email).fill('bia@padaria.example')
    const { body } = await desk.service().api.get('/users', other)
    const { uuid } = body.find(({ email }: { email: string }) => email === admin.email)
    await desk.service().api.delete(`/users/accessTokens?user=${uuid}`, other)
    await page.getByRole('dialog', { name: words.expired }).waitFor()
    expect(await page.getByText(words.offline).count()).toBe(0)
    await typePassword(page, words, password)
    await page.getByRole('dialog', { name: words.expired }).waitFor({ state: 'detached' })

    await desk.service().api.delete(`/users/accessTokens?user=${uuid}`, other)
    await page.getByRole('dialog', { name: words.expired }).waitFor()
    await page.evaluate(`document.querySelector('dialog form').requestSubmit()`)
    await typePassword(page, words, password)
    await page.getByRole('row').getByText('Bia Lima').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('moves nothing for people who do not want it', async () => {
    const { page } = await desk.openAccount()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const animation = await page.evaluate<string>(
      `getComputedStyle(document.body.appendChild(Object.assign(document.createElement('span'), { className: 'skeleton' }))).animationName`,
    )
    expect(animation).toBe('none')
  })

  test('D614: warns of credit that lasts few days; overview and phone do not jump while they load', async () => {
    const { admin, page } = await desk.openAccount()
    const { api, db } = desk.service()
    await api.post('/extensions', { ...person, ramal: '1000', email_address: admin.email }, admin)
    const calls = Array.from({ length: 20 }, (_, index) => ({
      started_at: new Date(Date.now() - (index + 1) * 3_600_000),
      call_price: 100_00,
    }))
    await insertCalls(db, await accountIdOf(db, admin.domain), calls)
    for (const path of ['/overview', '/phone']) {
      await page.goto(`/console${path}`)
      await page.getByText('(48) 99999-8888').first().waitFor()
      expect(await page.evaluate<number>('window.shifted'), path).toBeLessThan(0.1)
      if (path === '/overview') await page.getByText(overviewWords.pt.fewDays(0)).waitFor()
    }
  })

  // The last one: a service that was started again is another for the helpers.
  test('stays where it is while the service is away, and opens the page that was asked for afterwards', async () => {
    const { page } = await desk.openAccount()
    await desk.service().restart(async () => {
      await page.getByText(words.offline).waitFor()
      await page.getByRole('link', { name: 'Relatórios' }).click()
      await page.waitForURL(/reports/)
      expect(await page.getByRole('navigation').count()).toBeGreaterThan(0)
      await page.getByText(words.offline).waitFor()
    })
    await page.getByRole('heading', { level: 1, name: reportWords.pt.title }).waitFor()
    await page.getByText(words.offline).waitFor({ state: 'detached' })
  })
})
